import { Icon, type IconName } from '../../ui/icons.js';

interface Segment {
  href: string;
  name: string;
  /** Shown in place of the name. */
  icon?: IconName;
  current?: boolean;
}

/** Links, side by side, to other parts or views of what the page shows. `label`: what they choose between. */
export const Segments = ({ label, of }: { label: string; of: Segment[] }) => (
  <nav class="segments" aria-label={label}>
    {of.map(({ href, name, icon, current }) => (
      <a key={name} href={href} aria-label={icon && name} aria-current={current ? 'true' : undefined}>
        {icon ? <Icon name={icon} /> : name}
      </a>
    ))}
  </nav>
);

/** To the days, weeks or months before and after the one that is shown, and to today's. */
export const Periods = (props: { of: string; previous: string; today: string; next: string }) => (
  <Segments
    label="Date"
    of={[
      { href: props.previous, name: `Previous ${props.of}`, icon: 'previous' },
      { href: props.today, name: 'Today' },
      { href: props.next, name: `Next ${props.of}`, icon: 'next' },
    ]}
  />
);
