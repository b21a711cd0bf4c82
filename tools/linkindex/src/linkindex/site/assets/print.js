/* The theme opens every folded block before the page is printed. What holds proofs is printed only if the reader opened it:
   it is marked as such, but for what happens while printing. */
(function () {
  "use strict";
  var printing = window.matchMedia("print"), busy = false;
  document.documentElement.classList.add("lx-prints");

  function mark(details) {
    if (!busy && !printing.matches) details.classList.toggle("lx-opened", details.open);
  }

  window.addEventListener("beforeprint", function () { busy = true; });
  window.addEventListener("afterprint", function () { setTimeout(function () { busy = false; }, 0); });
  Array.prototype.forEach.call(document.querySelectorAll("details.lx-links, details.lx-numbers, details.lx-mutants"), function (details) {
    mark(details);
    details.addEventListener("toggle", mark.bind(null, details));
  });
})();
