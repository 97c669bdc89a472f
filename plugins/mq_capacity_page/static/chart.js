// Draw the figure that the server made, in the colours of the current theme. figure.js has asked
// for it, or asks now, where the page's own address does not say what is drawn.
(function () {
  "use strict";
  var place = document.getElementById("chart");
  if (!place) return;
  var save = document.querySelector("[data-save-chart]");
  var font = getComputedStyle(document.body).fontFamily;
  var allScriptsRan = new Promise(function (resolve) {
    document.addEventListener("DOMContentLoaded", resolve);
  });

  function showMessage(words) {
    var line = document.createElement("p");
    line.className = "quiet";
    line.textContent = words;
    place.replaceChildren(line);
  }

  // A name as lines of at most so many characters, broken only where a part of it begins.
  function linesOf(name, most) {
    var parts = name.replace(/ (?=\()|(,) (?=as |above )/g, "$1\n").split("\n");
    return parts.reduce(function (lines, part) {
      var longer = lines.length ? lines[lines.length - 1] + " " + part : "";
      if (longer && longer.length <= most) lines[lines.length - 1] = longer;
      else lines.push(part);
      return lines;
    }, []);
  }

  // On a phone: as many dates below the axis as have room, and labels of days without whose dates
  // they are, which the legend says.
  function narrowed(layout) {
    layout.margin.l = 52;
    layout.xaxis.nticks = Math.max(2, Math.floor((place.clientWidth - 68) / 66));
    (layout.annotations || []).forEach(function (label) {
      label.text = label.text.replace(/, as it is today$/, "");
    });
  }

  // Room for the lines and, below them, for the legend: all its columns are as wide as its widest.
  function fit(figure) {
    var layout = figure.layout, narrow = place.clientWidth < 600;
    var named = figure.data.filter(function (trace) { return trace.showlegend !== false; });
    var widest = 0, broken = 0;
    layout.font.family = font;
    if (narrow) narrowed(layout);
    named.forEach(function (trace) {
      var lines = linesOf(trace.name, narrow ? 36 : 50);
      trace.name = lines.join("<br>");
      broken += lines.length - 1;
      lines.forEach(function (line) { widest = Math.max(widest, line.length); });
    });
    var columns = Math.max(1, Math.floor((place.clientWidth - 90) / (40 + 6.8 * widest)));
    var rows = Math.ceil(named.length / columns) + broken;
    layout.legend.maxheight = 0.9; // by default half of the height: the rest would be scrolled to
    layout.height = (narrow ? 300 : 390) + 22 * rows;
    return layout;
  }

  // From a measured point to the records behind it.
  function follow(event) {
    var found = event.points.find(function (point) { return point.customdata; });
    if (!found) return;
    window.location.href = place.dataset.trace + "&at=" + encodeURIComponent(found.customdata);
  }

  async function draw() {
    var answer = await capacityFigure.answerOf(place.dataset.figure);
    if (!answer.ok) {
      showMessage("The chart cannot be drawn: the server answered " + answer.status + ".");
      return;
    }
    var figure = await answer.json();
    await allScriptsRan;
    place.replaceChildren();
    await Plotly.newPlot(place, figure.data, fit(figure), figure.config);
    if (place.dataset.trace) place.on("plotly_click", follow);
    if (save) save.hidden = false;
  }

  function redraw() {
    draw().catch(function (error) { showMessage("The chart cannot be drawn: " + error.message); });
  }

  if (save) {
    save.addEventListener("click", function () {
      Plotly.downloadImage(place, { format: "png", scale: 2, filename: save.dataset.saveChart });
    });
  }
  capacityFigure.dark.addEventListener("change", redraw);
  document.addEventListener("themechange", redraw);
  redraw();
})();
