"use strict";
// Without this script every mark still has its numbers as a title. With it the nearest mark answers
// to a mouse, a finger or the arrow keys, below the plot, where a screen reader announces it too.
for (const words of document.querySelectorAll(".keys")) words.hidden = false;
for (const plot of document.querySelectorAll("svg.chart")) {
  const readout = plot.parentElement.querySelector(".readout");
  const marks = [...plot.querySelectorAll(".mark")].map((element) => {
    const box = element.getBBox();
    const text = element.querySelector("title").textContent;
    return { element, text, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
  if (marks.length === 0) continue;
  let current = null;
  let ring = null; // drawn last, so that no neighbour covers it

  const show = (mark) => {
    if (ring) ring.remove();
    current = mark;
    ring = mark.element.cloneNode(false);
    ring.setAttribute("class", "on");
    ring.removeAttribute("fill");
    mark.element.parentElement.append(ring);
    readout.textContent = mark.text;
  };
  const least = (cost) => marks.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  const point = (event) => {
    const place = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(plot.getScreenCTM().inverse());
    show(least((mark) => Math.hypot(mark.x - place.x, mark.y - place.y)));
  };
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const move = (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    if (!current) return show(marks[0]);
    const cost = (mark) => {
      const [dx, dy] = [mark.x - current.x, mark.y - current.y];
      const along = dx * step[0] + dy * step[1];
      return along > 0.01 ? along + 3 * Math.abs(dx * step[1] + dy * step[0]) : Infinity;
    };
    const next = least(cost);
    if (cost(next) < Infinity) show(next);
  };

  plot.tabIndex = 0;
  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", point);
  plot.addEventListener("keydown", move);
}
