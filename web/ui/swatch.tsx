/** The colour of something in a legend: a fill, or the class of the styles that has one. */
export const Swatch = ({ fill, of }: { fill?: string; of?: string }) => (
  <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true">
    <rect class={of} fill={fill} width="8" height="8" />
  </svg>
);
