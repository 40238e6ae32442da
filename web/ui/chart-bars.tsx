import { scaleBand, scaleLinear } from 'd3-scale';
import { stack, stackOffsetDiverging } from 'd3-shape';
import { Swatch } from './swatch.js';

const WIDTH = 360;
const HEIGHT = 170;
const LEFT = 48;
const BOTTOM = 22;
const TOP = 8;
const WIDEST = 60;
/** The stylesheet has this many colours; further series repeat them. */
const COLOURS = 6;

/** A bar with the values of its series; a value can be below zero. */
export interface Bar {
  label: string;
  values: number[];
}

/**
 * Stacked bars as SVG, with negative values below the line. An image with a title, because the table next to
 * it has the same values. `format` formats a value of the axis, in at most eight characters.
 */
export function BarChart(props: {
  title: string;
  series: string[];
  bars: Bar[];
  format: (value: number) => string;
}) {
  const { title, series, bars, format } = props;
  const layers = stack<Bar, number>()
    .keys(series.keys())
    .value((bar, index) => bar.values[index] ?? 0)
    .offset(stackOffsetDiverging)(bars);
  const edges = layers.flatMap((layer) => layer.flatMap(([from, to]) => [from, to]));
  const y = scaleLinear()
    .domain([Math.min(0, ...edges), Math.max(1, ...edges)])
    .nice(4)
    .range([HEIGHT - BOTTOM, TOP]);
  const x = scaleBand<number>().domain(bars.keys()).range([LEFT, WIDTH]).padding(0.25);
  const width = Math.min(x.bandwidth(), WIDEST);
  return (
    <figure class="chart">
      <svg role="img" viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        <title>{title}</title>
        {y.ticks(4).map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
            <text x={LEFT - 6} y={y(tick) + 3.5} text-anchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {layers.map((layer) =>
          layer.map(([from, to], index) =>
            to === from ? null : (
              <rect
                key={`${layer.key} ${index}`}
                fill={`var(--tone-${layer.key % COLOURS})`}
                x={x(index)! + (x.bandwidth() - width) / 2}
                width={width}
                y={y(Math.max(from, to))}
                height={y(Math.min(from, to)) - y(Math.max(from, to))}
              />
            ),
          ),
        )}
        {bars.map(({ label }, index) => (
          <text key={index} x={x(index)! + x.bandwidth() / 2} y={HEIGHT - 6} text-anchor="middle">
            {label}
          </text>
        ))}
      </svg>
      {series.length > 1 && (
        <ul class="legend">
          {series.map((name, index) => (
            <li key={name}>
              <Swatch fill={`var(--tone-${index % COLOURS})`} />
              {name}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}
