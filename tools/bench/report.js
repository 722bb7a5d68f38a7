(function () {
  'use strict';
  document.documentElement.className = 'js';
  function each(root, selector, work) { Array.prototype.forEach.call(root.querySelectorAll(selector), work); }

  each(document, '.pair', function (pair) {
    var slider = pair.querySelector('input');
    function show() { pair.style.setProperty('--split', slider.value + '%'); }
    slider.addEventListener('input', show);
    show();
  });

  function keyOf(row, column) {
    var cell = row.children[column];
    var number = parseFloat(cell.getAttribute('data-value'));
    return isNaN(number) ? cell.textContent : number;
  }
  function order(a, b) {
    if (typeof a === typeof b) { return a === b ? 0 : a > b ? 1 : -1; }
    return typeof a === 'number' ? -1 : 1;
  }
  each(document, 'table', function (table) {
    var headings = table.querySelectorAll('th');
    var body = table.querySelector('tbody');
    Array.prototype.forEach.call(headings, function (heading, column) {
      var button = document.createElement('button');
      button.type = 'button';
      button.textContent = heading.textContent;
      if (!button.textContent) { return; }
      heading.textContent = '';
      heading.appendChild(button);
      button.addEventListener('click', function () {
        var falls = heading.getAttribute('aria-sort') === 'ascending';
        Array.prototype.forEach.call(headings, function (other) { other.removeAttribute('aria-sort'); });
        heading.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
        Array.prototype.slice.call(body.rows).sort(function (a, b) {
          return order(keyOf(a, column), keyOf(b, column)) * (falls ? -1 : 1);
        }).forEach(function (row) { body.appendChild(row); });
      });
    });
  });
}());
