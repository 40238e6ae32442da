import { scaleBand, scaleQuantize } from 'd3-scale';

const WIDTH = 360;
const LEFT = 32;
const TOP = 16;
const ROW = 16;
/** The opacities of cells, from low to high values. */
const STEPS = [0.2, 0.4, 0.6, 0.8, 1];

/** A cell of a heat map; null if it has no value. */
export type Heat = number | null;

/**
 * A heat map as SVG: a row of cells for each label, darker for higher values. An image with a title, because
 * the table next to it has the same values. `max` is the value of the darkest cells. Every `every`th column
 * is labelled.
 */
export function HeatMap(props: {
  title: string;
  rows: { label: string; cells: Heat[] }[];
  columns: string[];
  every: number;
  max: number;
}) {
  const { title, rows, columns, every, max } = props;
  const height = TOP + rows.length * ROW;
  const x = scaleBand<number>().domain(columns.keys()).range([LEFT, WIDTH]).paddingInner(0.1);
  const y = scaleBand<number>().domain(rows.keys()).range([TOP, height]).paddingInner(0.1);
  const toStep = scaleQuantize<number>().domain([0, max]).range(STEPS);
  return (
    <figure class="chart">
      <svg role="img" viewBox={`0 0 ${WIDTH} ${height}`}>
        <title>{title}</title>
        {columns.map((label, index) =>
          index % every === 0 ? (
            <text key={label} x={x(index)} y={TOP - 5}>
              {label}
            </text>
          ) : null,
        )}
        {rows.map(({ label, cells }, row) => (
          <g key={label}>
            <text x="0" y={y(row)! + y.bandwidth() - 3}>
              {label}
            </text>
            {cells.map((value, column) =>
              value === null ? null : (
                <rect
                  key={column}
                  class={value > 0 ? undefined : 'none'}
                  fill="var(--tone-0)"
                  fill-opacity={value > 0 ? toStep(value) : 1}
                  x={x(column)}
                  y={y(row)}
                  width={x.bandwidth()}
                  height={y.bandwidth()}
                />
              ),
            )}
          </g>
        ))}
      </svg>
    </figure>
  );
}
