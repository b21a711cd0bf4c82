/* A symbol under the pointer, or under the keyboard's focus, is shown wherever it stands in its section: in formulas, in the
   symbol table and in the code. The formulas of a section are one tab stop; the arrow keys go from symbol to symbol. */
(function () {
  "use strict";

  var symbols = "[data-sym]";
  var shown = [];

  function all(root, selector) {
    return Array.prototype.slice.call(root.querySelectorAll(selector));
  }

  /* Sections are flat: a heading of the second level and what follows it. Each element's section is its index among them. */
  var sections = all(document, "article h2");

  function section(element) {
    var before = 0;
    while (before < sections.length && (sections[before].compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING)) before += 1;
    return before;
  }

  var places = all(document, symbols).map(function (element) {
    return { element: element, name: element.getAttribute("data-sym"), section: section(element) };
  });
  if (!places.length) return;
  document.documentElement.classList.add("lx-js");

  var status = document.createElement("p");
  status.className = "lx-hidden";
  status.setAttribute("role", "status");
  document.querySelector("article").appendChild(status);

  function clear() {
    shown.forEach(function (element) { element.classList.remove("lx-is-shown"); });
    shown = [];
  }

  function show(element) {
    clear();
    var name = element.getAttribute("data-sym"), here = section(element);
    shown = places.filter(function (place) { return place.name === name && place.section === here; })
      .map(function (place) { return place.element; });
    shown.forEach(function (found) { found.classList.add("lx-is-shown"); });
    return shown;
  }

  /* What the symbol table says of it, for those who do not see the colour. */
  function announce(elements) {
    var row = elements.filter(function (element) { return element.matches(".lx-symbol"); })[0];
    status.textContent = row ? all(row, "th, td, dt, dd").slice(0, 3).map(function (cell) { return cell.textContent.trim(); }).join(", ") : "";
  }

  document.addEventListener("pointerover", function (event) {
    var element = event.target.closest && event.target.closest(symbols);
    if (element) show(element); else if (shown.length) clear();
  });
  document.addEventListener("focusin", function (event) {
    if (event.target.matches(symbols)) announce(show(event.target)); else clear();
  });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") clear(); });

  all(document, ".lx-equations").forEach(function (equations) {
    var inside = all(equations, "math " + symbols);
    if (!inside.length) return;
    inside.forEach(function (element, number) { element.setAttribute("tabindex", number ? "-1" : "0"); });
    equations.addEventListener("keydown", function (event) {
      var step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], at = inside.indexOf(document.activeElement);
      if (!step || at < 0) return;
      event.preventDefault();
      inside[at].setAttribute("tabindex", "-1");
      var next = inside[(at + step + inside.length) % inside.length];
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  });
})();
