// Charts read aloud their values at the pointer or by arrow keys; filters apply when chosen; options
// of a plan are drawn once they are evaluated. Without this script everything else is there.
(function () {
  "use strict";

  function begin(figure) {
    var plot = figure.querySelector(".chart-svg");
    var readout = figure.querySelector(".readout");
    if (!readout || !plot) return;
    var rows = JSON.parse(readout.dataset.values);
    var cursor = figure.querySelector(".cursor");
    var at = rows.length - 1;
    if (!rows.length) return;

    function show(place) {
      at = Math.max(0, Math.min(rows.length - 1, place));
      var row = rows[at];
      cursor.classList.add("on");
      cursor.setAttribute("x1", row.x + "%");
      cursor.setAttribute("x2", row.x + "%");
      readout.textContent = "";
      var day = document.createElement("b");
      day.textContent = row.t;
      readout.append(day);
      Object.keys(row.v).forEach(function (name) { readout.append(" · " + name + ": " + row.v[name]); });
    }

    function placeOf(event) {
      var box = figure.querySelector(".data").getBoundingClientRect();
      var across = 100 * (event.clientX - box.left) / box.width;
      var best = 0;
      rows.forEach(function (row, place) {
        if (Math.abs(row.x - across) < Math.abs(rows[best].x - across)) best = place;
      });
      return best;
    }

    figure.onpointermove = function (event) { show(placeOf(event)); };
    figure.onkeydown = function (event) {
      var step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      show(at + step);
    };
    figure.onclick = function (event) {
      var row = rows[placeOf(event)];
      if (figure.dataset.trace && row.at && event.target.closest(".chart-svg")) {
        window.location.href = figure.dataset.trace + "&at=" + encodeURIComponent(row.at);
      }
    };
  }

  async function later(figure) {
    var answer = await fetch(figure.dataset.later);
    if (!answer.ok) return; // the chart without options stays
    var part = document.createElement("template");
    part.innerHTML = await answer.text();
    figure.replaceChildren(part.content);
    begin(figure);
  }

  document.addEventListener("DOMContentLoaded", function () {
    document.querySelectorAll(".figure").forEach(function (figure) {
      begin(figure);
      if (figure.dataset.later) later(figure).catch(function (error) { console.info(error.message); });
    });
    document.querySelectorAll("form.filters select[name]").forEach(function (choice) {
      var form = choice.form;
      if (form.method === "get") choice.addEventListener("change", function () { form.requestSubmit(); });
    });
  });
})();
