// Ask the server for the figure while the browser still reads the page. This script runs in the
// head, behind theme.js; chart.js draws what has come.
(function () {
  "use strict";
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var asked = { address: "", answer: null };

  function theme() {
    return document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  }

  // The answer for this figure in the colours of now: the one that was asked for, once, or a new one.
  function answerOf(figure) {
    var address = figure + "&theme=" + theme();
    var answer = asked.address === address ? asked.answer : fetch(address);
    asked = { address: "", answer: null };
    return answer;
  }

  var first = document.currentScript.dataset.figure;
  if (first) {
    asked.address = first + "&theme=" + theme();
    asked.answer = fetch(asked.address);
    asked.answer.catch(function () {}); // chart.js shows the error, once it waits for the answer
  }
  window.capacityFigure = { answerOf: answerOf, dark: dark };
})();
