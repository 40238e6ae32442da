import { readFileSync } from 'node:fs';

/** The icons of pages. `ops/image-files.mjs` finds their files by their names here. */
const FILES = {
  accounting: import.meta.resolve('lucide-static/icons/book-open-check.svg'),
  account: import.meta.resolve('lucide-static/icons/circle-user-round.svg'),
  application: import.meta.resolve('lucide-static/icons/blocks.svg'),
  audit: import.meta.resolve('lucide-static/icons/scroll-text.svg'),
  booking: import.meta.resolve('lucide-static/icons/ticket.svg'),
  calendar: import.meta.resolve('lucide-static/icons/calendar-days.svg'),
  card: import.meta.resolve('lucide-static/icons/credit-card.svg'),
  check: import.meta.resolve('lucide-static/icons/check.svg'),
  close: import.meta.resolve('lucide-static/icons/x.svg'),
  company: import.meta.resolve('lucide-static/icons/building-2.svg'),
  copy: import.meta.resolve('lucide-static/icons/copy.svg'),
  discount: import.meta.resolve('lucide-static/icons/badge-percent.svg'),
  edit: import.meta.resolve('lucide-static/icons/pencil.svg'),
  expand: import.meta.resolve('lucide-static/icons/chevron-down.svg'),
  events: import.meta.resolve('lucide-static/icons/activity.svg'),
  extra: import.meta.resolve('lucide-static/icons/package-plus.svg'),
  guest: import.meta.resolve('lucide-static/icons/contact-round.svg'),
  invoice: import.meta.resolve('lucide-static/icons/receipt-text.svg'),
  key: import.meta.resolve('lucide-static/icons/key-round.svg'),
  member: import.meta.resolve('lucide-static/icons/users.svg'),
  membership: import.meta.resolve('lucide-static/icons/id-card.svg'),
  menu: import.meta.resolve('lucide-static/icons/menu.svg'),
  message: import.meta.resolve('lucide-static/icons/mail.svg'),
  next: import.meta.resolve('lucide-static/icons/chevron-right.svg'),
  overview: import.meta.resolve('lucide-static/icons/house.svg'),
  owner: import.meta.resolve('lucide-static/icons/crown.svg'),
  page: import.meta.resolve('lucide-static/icons/globe.svg'),
  payment: import.meta.resolve('lucide-static/icons/banknote.svg'),
  plan: import.meta.resolve('lucide-static/icons/repeat-2.svg'),
  plus: import.meta.resolve('lucide-static/icons/plus.svg'),
  preparations: import.meta.resolve('lucide-static/icons/clipboard-list.svg'),
  previous: import.meta.resolve('lucide-static/icons/chevron-left.svg'),
  price: import.meta.resolve('lucide-static/icons/tags.svg'),
  print: import.meta.resolve('lucide-static/icons/printer.svg'),
  reconciliation: import.meta.resolve('lucide-static/icons/scale.svg'),
  refund: import.meta.resolve('lucide-static/icons/undo-2.svg'),
  reports: import.meta.resolve('lucide-static/icons/chart-column.svg'),
  room: import.meta.resolve('lucide-static/icons/door-open.svg'),
  search: import.meta.resolve('lucide-static/icons/search.svg'),
  settings: import.meta.resolve('lucide-static/icons/settings.svg'),
  signIn: import.meta.resolve('lucide-static/icons/shield-check.svg'),
  signOut: import.meta.resolve('lucide-static/icons/log-out.svg'),
  webhook: import.meta.resolve('lucide-static/icons/webhook.svg'),
  workspaces: import.meta.resolve('lucide-static/icons/layers.svg'),
};

export type IconName = keyof typeof FILES;

export const ICON_NAMES = Object.keys(FILES) as IconName[];

/** What is inside the `svg` element of a file. */
const drawingIn = (file: string): string =>
  readFileSync(new URL(file), 'utf8').replace(/^[\s\S]*?<svg[^>]*>|<\/svg>\s*$/g, '');

const DRAWINGS = Object.fromEntries(
  Object.entries(FILES).map(([name, file]) => [name, drawingIn(file)]),
) as Record<IconName, string>;

/** An icon beside a label; screen readers leave it out. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    dangerouslySetInnerHTML={{ __html: DRAWINGS[name] }}
  />
);
