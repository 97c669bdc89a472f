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

  // Room for the lines and, below them, for the legend: all its columns are as wide as its widest.
  function fit(figure) {
    var layout = figure.layout, narrow = place.clientWidth < 600;
    var named = figure.data.filter(function (trace) { return trace.showlegend !== false; });
    var widest = 0, broken = 0;
    layout.font.family = font;
    if (narrow) layout.margin.l = 52;
    named.forEach(function (trace) {
      if (trace.name.length > (narrow ? 36 : 50)) {
        trace.name = trace.name.replace(/ (?=\()|(,) (?=as )/, "$1<br>");
        broken += 1;
      }
      trace.name.split("<br>").forEach(function (line) { widest = Math.max(widest, line.length); });
    });
    var columns = Math.max(1, Math.floor((place.clientWidth - 90) / (40 + 6.8 * widest)));
    var rows = Math.ceil(named.length / columns) + broken;
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
