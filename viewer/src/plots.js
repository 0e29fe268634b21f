// Plots of a motion, with a cursor at the time that is shown.

import uPlot from 'uplot';
import { element } from './text.js';

const COLORS = {
  light: ['#2563eb', '#d9480f', '#2b8a3e', '#9c36b5', '#c2255c', '#0b7285', '#b08900', '#495057'],
  dark: ['#74a9ff', '#ff9a5c', '#6fd389', '#da8cf0', '#ff8fb3', '#5fcde0', '#f0cd58', '#b4bcc6'],
};

export class Plots {
  constructor(data, times, place, seek) {
    this.data = data;
    this.times = Array.from(times);
    this.seek = seek;
    this.chart = null;
    this.time = this.times[0];
    this.theme = 'light';
    this.hidden = new Set();
    this.select = element('select', { id: 'plot', 'aria-label': 'plot' }, ...data.plots.map((plot, i) => element('option', { value: String(i) }, title(plot))));
    this.select.addEventListener('change', () => this.draw());
    this.legend = element('div', { class: 'legend' });
    this.canvas = element('div', { class: 'chart' });
    place.append(element('div', { class: 'head' }, this.select, this.legend), this.canvas);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.draw();
  }

  draw() {
    this.chart?.destroy();
    const index = Number(this.select.value);
    const plot = this.data.plots[index];
    const style = getComputedStyle(document.documentElement);
    const [ink, line] = ['--dim', '--line'].map((name) => style.getPropertyValue(name).trim());
    const columns = plot.curves.map(([, at]) => Array.from(this.data.numbers.singles(at, this.times.length), (x) => (Number.isFinite(x) ? x : null)));
    const colors = COLORS[this.theme];
    const dash = (k) => (k < colors.length ? [] : k < 2 * colors.length ? [6, 3] : [2, 3]);
    const axis = { stroke: ink, font: '11px system-ui, sans-serif', grid: { stroke: line, width: 1 }, ticks: { stroke: line, size: 4 } };
    const series = plot.curves.map(([name], k) => ({ label: name, stroke: colors[k % colors.length], width: 1.6, pxAlign: 0, dash: dash(k), points: { show: this.times.length < 2 }, show: !this.hidden.has(`${index} ${k}`) }));
    this.chart = new uPlot(
      {
        width: Math.max(this.canvas.clientWidth, 50),
        height: Math.max(this.canvas.clientHeight, 50),
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: false } },
        scales: { x: { time: false } },
        series: [{ label: 't' }, ...series],
        axes: [
          { ...axis, size: 30, values: (_, ticks) => ticks.map((t) => `${+t.toFixed(6)} s`) },
          { ...axis, size: 58, label: plot.unit || undefined, labelSize: plot.unit ? 18 : 0, labelFont: '11px system-ui, sans-serif' },
        ],
        hooks: { draw: [(chart) => this.cursor(chart)] },
      },
      [this.times, ...columns],
      this.canvas,
    );
    const over = this.chart.over;
    const go = (event) => this.seek(this.chart.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
    over.addEventListener('pointerdown', (event) => {
      over.setPointerCapture(event.pointerId);
      go(event);
    });
    over.addEventListener('pointermove', (event) => event.buttons && go(event));
    this.legend.replaceChildren(...plot.curves.map(([name], k) => this.entry(index, name, k, series[k].stroke)));
    this.refresh();
  }

  entry(index, name, k, color) {
    const mark = element('span', { class: 'mark' });
    mark.style.background = color;
    const value = element('span', { class: 'now' });
    const button = element('button', { type: 'button', class: 'entry', 'aria-pressed': String(!this.hidden.has(`${index} ${k}`)), title: 'show or hide' }, mark, element('span', { class: 'name' }, name), value);
    button.addEventListener('click', () => {
      const key = `${index} ${k}`;
      const show = this.hidden.has(key);
      if (show) this.hidden.delete(key);
      else this.hidden.add(key);
      button.setAttribute('aria-pressed', String(show));
      this.chart.setSeries(k + 1, { show });
    });
    return button;
  }

  cursor(chart) {
    const x = chart.valToPos(this.time, 'x', true);
    const { left, top, width, height } = chart.bbox;
    if (x < left - 1 || x > left + width + 1) return;
    const style = getComputedStyle(document.documentElement);
    chart.ctx.save();
    chart.ctx.fillStyle = style.getPropertyValue('--accent');
    chart.ctx.fillRect(x - devicePixelRatio * 0.75, top, 1.5 * devicePixelRatio, height);
    chart.ctx.restore();
  }

  show(time) {
    this.time = time;
    this.refresh();
  }

  refresh() {
    this.chart.redraw(false, false);
    const [x, ...columns] = this.chart.data;
    let i = this.chart.valToIdx(this.time, 'x');
    i = Math.min(Math.max(i, 0), x.length - 1);
    this.legend.querySelectorAll('.now').forEach((place, k) => {
      const value = columns[k][i];
      place.textContent = value === null ? '–' : value.toPrecision(3).replace('-', '−');
    });
  }

  retheme(name) {
    this.theme = name;
    this.draw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width && height && (width !== this.chart.width || height !== this.chart.height)) this.chart.setSize({ width, height });
  }
}

function title(plot) {
  return plot.unit ? `${plot.title} [${plot.unit}]` : plot.title;
}
