#include "cli/bench/report_style.h"

namespace aureole::cli {

std::string_view reportStyle() {
    // Colours of the lines: Okabe and Ito, "Color Universal Design" (2008), lighter on dark.
    return R"css(
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2024; --soft: #5b6570; --line: #d9dee3; --grid: #eceff2;
  --card: #f6f8f9; --accent: #0072b2; --mark: #1c2024; --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b8608f;
  --c4: #2f9bd6; --c5: #c98a00; --c6: #5b6570; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e8ebee; --soft: #9aa5b0; --line: #343b42; --grid: #262b31; --card: #1c2126;
    --accent: #56b4e9; --mark: #f4f6f8; --c0: #4aa8e0; --c1: #f08a4b; --c2: #2fc79a; --c3: #dd97bd; --c4: #8fd0f4;
    --c5: #f0c04d; --c6: #aab4be; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2.5rem 1.25rem 3rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
header, main, footer { max-width: 68rem; margin: 0 auto; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 2.75rem 0 1rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--line); font-size: 1.25rem; }
h3 { margin: 1.5rem 0 0.25rem; font-size: 1rem; }
p { margin: 0.25rem 0 0.75rem; max-width: 46rem; }
.lead { margin: 0.5rem 0 1.5rem; }
code { font: 0.875rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  overflow-wrap: anywhere; }
code span { display: inline-block; max-width: 100%; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 0.75rem 1.5rem; margin: 0;
  padding: 1rem 1.25rem; background: var(--card); border-radius: 0.5rem; }
.facts div.wide { grid-column: 1 / -1; }
dt { color: var(--soft); font-size: 0.8125rem; }
dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 2.25rem 2.5rem;
  align-items: start; }
.chart figcaption { margin-bottom: 0.5rem; font-weight: 600; }
.chart svg { display: block; width: 100%; max-width: 40rem; height: auto; overflow: visible; }
svg text { fill: var(--ink); font-size: 13px; }
svg .tick, svg .name { fill: var(--soft); font-size: 12px; }
svg .value { font-variant-numeric: tabular-nums; font-weight: 600; }
svg path { fill: none; stroke: var(--line); }
svg .grid { stroke: var(--grid); }
svg .axis { stroke: var(--soft); }
svg .mark { stroke: var(--mark); stroke-width: 1.5; }
.lines .mark { stroke-dasharray: 5 4; }
.bars svg .mark { stroke-width: 2; }
svg .whisker { stroke: var(--ink); stroke-width: 1.2; }
svg .track { fill: var(--grid); }
svg polyline { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; }
svg polyline.dashed { stroke-dasharray: 6 4; }
svg circle { fill: var(--c); stroke: var(--paper); stroke-width: 1.2; }
svg rect { fill: var(--c); }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
.c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); }
.legend { display: flex; flex-wrap: wrap; gap: 0.15rem 1.1rem; margin: 0.6rem 0 0; padding: 0; list-style: none;
  font-size: 0.875rem; }
.legend li { display: flex; align-items: center; gap: 0.45rem; }
.key { width: 1.1rem; height: 0; border-top: 3px solid var(--c); }
.key.dashed { border-top-style: dashed; }
.lines .key.mark { border-top: 2px dashed var(--mark); }
.bars .key { height: 0.7rem; width: 0.7rem; border: 0; background: var(--c); border-radius: 2px; }
.bars .key.mark { width: 2px; height: 0.9rem; background: var(--mark); border-radius: 0; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; }
.pair input { display: none; }
.pictures { margin-bottom: 2rem; }
.pictures img { display: block; width: 100%; height: auto; background: #000; }
.pictures img.small { image-rendering: pixelated; }
.pictures figcaption { margin-top: 0.3rem; color: var(--soft); font-size: 0.875rem; }
.difference { margin-top: 0.75rem; max-width: 34rem; }
.table { margin-bottom: 2rem; }
.table figcaption { margin-bottom: 0.5rem; font-weight: 600; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0.75rem; text-align: right; white-space: nowrap; }
th { background: var(--card); color: var(--soft); font-weight: 600; }
tbody tr { border-top: 1px solid var(--grid); }
th:first-child, td:first-child { position: sticky; left: 0; background: var(--paper); text-align: left; }
th:first-child { background: var(--card); }
.text { text-align: left; }
th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
th[aria-sort="ascending"] button::after { content: " \2191"; }
th[aria-sort="descending"] button::after { content: " \2193"; }
.notes { margin: 0.5rem 0 0; padding-left: 1.1rem; color: var(--soft); font-size: 0.875rem; }
footer { margin-top: 3rem; color: var(--soft); font-size: 0.875rem; }
@media screen {
  .js .pair { display: block; position: relative; overflow: hidden; border-radius: 0.35rem; }
  .js .pair .second { position: absolute; inset: 0; clip-path: inset(0 0 0 var(--split)); }
  .js .pair figcaption { position: absolute; top: 0.6rem; margin: 0; padding: 0.1rem 0.5rem; border-radius: 0.25rem;
    background: rgba(0, 0, 0, 0.65); color: #fff; }
  .js .pair .first figcaption { left: 0.6rem; }
  .js .pair .second figcaption { right: 0.6rem; }
  .js .pair::after { content: ""; position: absolute; top: 0; bottom: 0; left: var(--split); width: 2px;
    margin-left: -1px; background: #fff; box-shadow: 0 0 3px rgba(0, 0, 0, 0.8); pointer-events: none; }
  .js .pair::before { content: "\2194"; position: absolute; z-index: 1; top: 50%; left: var(--split); width: 2.2rem;
    height: 2.2rem; margin: -1.1rem 0 0 -1.1rem; border-radius: 50%; background: #fff; color: #1c2024;
    font-size: 1.2rem; line-height: 2.1rem; text-align: center; box-shadow: 0 0 4px rgba(0, 0, 0, 0.6);
    pointer-events: none; }
  .js .pair input { display: block; position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0;
    cursor: ew-resize; appearance: none; touch-action: pan-y; }
  .js .pair input::-webkit-slider-thumb { appearance: none; width: 2px; height: 100%; }
  .js .pair input::-moz-range-thumb { width: 2px; height: 100%; border: 0; }
  .js .pair:focus-within { outline: 3px solid var(--accent); outline-offset: 2px; } }
@media (max-width: 40rem) { body { padding: 1.5rem 1rem 2rem; } h1 { font-size: 1.6rem; }
  svg text { font-size: 15px; } svg .tick, svg .name { font-size: 14px; } th, td { padding: 0.35rem 0.5rem; }
  td:first-child { min-width: 7rem; max-width: 45vw; white-space: normal; overflow-wrap: anywhere; } }
@media print { body { padding: 0; font-size: 11pt; } .chart, .pictures, tr { break-inside: avoid; }
  h2, h3, figcaption { break-after: avoid; } .scroll { overflow: visible; border: 0; } th, td { padding: 0.2rem 0.4rem; }
  table { font-size: 8pt; } * { print-color-adjust: exact; } }
)css";
}

std::string_view reportScript() {
    return R"js(
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
)js";
}

std::string_view reportScriptHash() {
    return "BZ82njYNjj3zM7N4zynh0NphStdqekfgoZ1LMKTVWYU=";
}

} // namespace aureole::cli
