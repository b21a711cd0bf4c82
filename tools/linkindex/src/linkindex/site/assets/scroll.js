/* A formula or table that is wider than its column scrolls on its own. Such a box must be reachable with the keyboard
   and have a name; one that fits must not cost a tab stop. Without this script browsers still scroll it. */
(function () {
  "use strict";
  var selector = ".formula, .scroll, .md-typeset__scrollwrap, .md-typeset pre > code, div.arithmatex";

  function label(box) {
    if (box.dataset.label) return box.dataset.label;
    if (box.querySelector("table")) return "Table";
    return box.querySelector("math") ? "Formula" : "Code";
  }

  function update(box) {
    if (box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", label(box));
    } else if (box.getAttribute("role") === "group") {
      ["tabindex", "role", "aria-label"].forEach(function (name) { box.removeAttribute(name); });
    }
  }

  var boxes = Array.prototype.slice.call(document.querySelectorAll(selector));
  if (!("ResizeObserver" in window)) { boxes.forEach(update); return; }
  // A block that was skipped while it was far away has no width to compare before.
  document.addEventListener("contentvisibilityautostatechange", function (event) {
    boxes.forEach(function (box) { if (event.target.contains(box)) requestAnimationFrame(update.bind(null, box)); });
  }, true);
  var observer = new ResizeObserver(function (entries) {
    entries.forEach(function (entry) { update(entry.target); });
  });
  boxes.forEach(function (box) { observer.observe(box); });
})();
