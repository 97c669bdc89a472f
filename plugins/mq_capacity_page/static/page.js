// Charts read aloud their values at the pointer or by arrow keys and can be taken along; filters
// apply when chosen; options of a plan are drawn once they are evaluated. Without this script everything else is there.
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

  // The chart as it is seen, as a PNG to take along.
  async function picture(section, name) {
    var plot = section.querySelector(".chart-svg");
    var copy = plot.cloneNode(true);
    var shown = [plot].concat(Array.from(plot.querySelectorAll("*")));
    [copy].concat(Array.from(copy.querySelectorAll("*"))).forEach(function (part, place) {
      var style = getComputedStyle(shown[place]);
      ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-family", "font-size", "font-weight",
        "text-anchor", "vector-effect", "visibility", "overflow", "display"]
        .forEach(function (key) { part.setAttribute(key, style.getPropertyValue(key)); });
    });
    var box = plot.getBoundingClientRect();
    var frame = section.getBoundingClientRect();
    copy.setAttribute("x", box.left - frame.left);
    copy.setAttribute("y", 40);
    copy.setAttribute("width", box.width);
    copy.setAttribute("height", box.height);
    var outer = document.createElementNS(plot.namespaceURI, "svg");
    outer.setAttribute("width", frame.width);
    outer.setAttribute("height", box.height + 120);
    outer.append(copy);
    var image = new Image();
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(outer));
    await image.decode();
    var canvas = document.createElement("canvas");
    canvas.width = 2 * frame.width;
    canvas.height = 2 * (box.height + 120);
    var pen = canvas.getContext("2d");
    var page = getComputedStyle(document.body);
    pen.scale(2, 2);
    pen.fillStyle = page.backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0);
    pen.font = "12px " + page.fontFamily;
    var left = 14;
    section.querySelectorAll(".legend li").forEach(function (entry) {
      var sign = getComputedStyle(entry.querySelector(".sign > *"));
      var words = entry.textContent.trim();
      pen.fillStyle = sign.stroke === "none" ? sign.fill : sign.stroke;
      pen.fillRect(left, box.height + 100, 14, 3);
      pen.fillStyle = page.color;
      pen.fillText(words, left + 19, box.height + 105);
      left += 35 + pen.measureText(words).width;
    });
    var link = document.createElement("a");
    link.download = name + ".png";
    link.href = canvas.toDataURL("image/png");
    link.click();
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
    document.querySelectorAll("button[data-picture]").forEach(function (button) {
      button.hidden = false;
      button.onclick = function () { return picture(button.closest(".chart"), button.dataset.picture); };
    });
    document.querySelectorAll("form.filters select[name]").forEach(function (choice) {
      var form = choice.form;
      if (form.method === "get") choice.addEventListener("change", function () { form.requestSubmit(); });
    });
  });
})();
