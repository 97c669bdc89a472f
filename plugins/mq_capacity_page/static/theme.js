// Follow Airflow's own light/dark switch, which sits in the page around this frame.
(function () {
  "use strict";
  function outerRoot() {
    try {
      return window.parent !== window ? window.parent.document.documentElement : null;
    } catch (error) {
      if (error instanceof DOMException) return null; // framed by another origin
      throw error;
    }
  }
  function apply(outer) {
    var names = outer.classList;
    var theme = names.contains("dark") ? "dark" : names.contains("light") ? "light" : "";
    var root = document.documentElement;
    if (theme === (root.dataset.theme || "")) return;
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    document.dispatchEvent(new Event("themechange"));
  }
  var outer = outerRoot();
  if (!outer) return;
  apply(outer);
  new MutationObserver(function () { apply(outer); }).observe(outer, {
    attributes: true,
    attributeFilter: ["class"],
  });
})();
