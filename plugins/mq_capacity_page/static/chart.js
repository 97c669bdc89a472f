// Draw the figure that the server made, in the colours of the current theme.
(function () {
  "use strict";
  var place = document.getElementById("chart");
  if (!place) return;
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var font = getComputedStyle(document.body).fontFamily;

  function theme() {
    return document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  }

  function tell(words) {
    var line = document.createElement("p");
    line.className = "quiet";
    line.textContent = words;
    place.replaceChildren(line);
  }

  function fit(layout) {
    layout.font.family = font;
    layout.height = place.clientWidth < 600 ? 340 : 440;
    if (place.clientWidth < 600) layout.margin.l = 52;
    return layout;
  }

  // From a measured point to the records behind it.
  function follow(event) {
    var found = event.points.find(function (point) { return point.customdata; });
    if (!found) return;
    window.location.href = place.dataset.trace + "&at=" + encodeURIComponent(found.customdata);
  }

  async function draw() {
    var answer = await fetch(place.dataset.figure + "&theme=" + theme());
    if (!answer.ok) {
      tell("The chart cannot be drawn: the server answered " + answer.status + ".");
      return;
    }
    var figure = await answer.json();
    place.replaceChildren();
    await Plotly.newPlot(place, figure.data, fit(figure.layout), figure.config);
    if (place.dataset.trace) place.on("plotly_click", follow);
  }

  function redraw() {
    draw().catch(function (error) { tell("The chart cannot be drawn: " + error.message); });
  }

  dark.addEventListener("change", redraw);
  document.addEventListener("themechange", redraw);
  redraw();
})();
