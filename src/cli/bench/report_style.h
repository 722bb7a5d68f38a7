#pragma once

// What a report's page has besides its content: its style and its script, both within the page.

#include <string_view>

namespace aureole::cli {

/// CSS for screens, light and dark, wide and narrow, and for paper. Has no '<' and no '&', so that the page is XML too.
std::string_view reportStyle();

/// Moves the sliders between pictures and sorts tables. Without it, pictures stand side by side. Likewise XML.
std::string_view reportScript();

/// The SHA-256 of reportScript() in base64: the page's security policy lets nothing else run.
std::string_view reportScriptHash();

} // namespace aureole::cli
