import { readFileSync } from 'node:fs';
import type { ComponentChildren } from 'preact';
import type { Membership } from '../../../db/queries/members/membership.js';
import type { ApiContext, FormRejection } from '../../../api/http/context.js';
import { readStyles, sendDocument } from '../../ui/document.js';
import { PRICED_SCRIPT } from '../../ui/priced.js';
import { COPY_SCRIPT } from '../../ui/copy.js';
import { formatsIn } from '../../ui/formats.js';
import { DASHBOARD_TONES } from '../../ui/tones.js';
import { PASSKEY_SCRIPT } from '../../sign-in/passkeys/form.js';
import { SetUpCardPayments } from './card-payments.js';
import { Header } from './header.js';
import type { NavigationGroup } from './navigation.js';
import { NoticeAt, NoticeContext, takeNotice } from './notice.js';
import { pathIn } from './paths.js';

const readOwn = (...names: string[]): string =>
  readStyles(...names.map((name) => `dashboard/styles/${name}`));

/**
 * Tables fold where they are narrow, and sooner with more than five columns (four, if they have the
 * width of the page), except those of weeks.
 */
const FOLDED = readOwn('folded-tables');
const WIDE =
  '.scroll:is(:has(th:nth-child(6)), :not(.columns *):has(th:nth-child(5))):not(:has(.whole, .board))';
const foldBelow = (width: string, css: string): string => `@container (max-width: ${width}) {${css}}`;
const FOLDING = foldBelow('36rem', FOLDED) + foldBelow('52rem', `:where(${WIDE}) {${FOLDED}}`);
/** In the order in which they are applied. */
const CSS =
  readOwn('frame', 'layout', 'tables') +
  FOLDING +
  readOwn('statuses', 'forms', 'toolbar', 'numbers', 'checklist', 'lists', 'booking-table') +
  readOwn('tones', 'calendar', 'board', 'agenda', 'calendar-editing', 'week-bars', 'rate-week') +
  readOwn('day-list', 'sign', 'calendar-print') +
  DASHBOARD_TONES;

/**
 * Enhancements that pages work without: holds count down, a click on an id or link copies it, `/` focuses the
 * search, a value entered for an option selects it, and a chosen file fills its text field (UTF-8 or, from
 * some spreadsheets, Windows-1252).
 */
const SCRIPT = readFileSync(new URL('./script.js', import.meta.url), 'utf8') + PRICED_SCRIPT + COPY_SCRIPT;

/** A page of several about one object. `at`: its path after the workspace's. */
export interface Tab {
  at: string;
  name: string;
}

interface DashboardProps {
  title: string;
  membership?: Membership;
  navigation?: NavigationGroup[];
  /** The path of the current entry. */
  at?: string;
  /** The page's main action, beside its title. */
  primary?: ComponentChildren;
  tabs?: readonly Tab[];
  /** The page has forms for passkeys. */
  passkeys?: boolean;
  css?: string;
  /** A script of this page, which may fetch pages of this origin. */
  script?: string;
  children: ComponentChildren;
}

function Problems({ ctx, of }: { ctx: ApiContext; of: FormRejection }) {
  const { problems, lacksAccount } = of;
  if (problems.length === 0) return null;
  return (
    <div class="card trouble" role="alert">
      {problems.map(({ field, message }) => (
        <p key={message}>
          {field ? <a href={`#${field}`}>{message}</a> : message}
          {lacksAccount && (
            <>
              {' '}
              <SetUpCardPayments ctx={ctx} />
            </>
          )}
        </p>
      ))}
    </div>
  );
}

/** Shown on every page while payments are paused. */
export function Recovering({ membership }: { membership: Membership }) {
  const since = formatsIn(membership).moment(membership.recovering_since!);
  return (
    <div class="card trouble" role="status">
      <p>
        <b>Payments are paused.</b> Activity on the Stripe account since {since} is being read again. Until
        then, nothing is charged or refunded, and new bookings that need a payment are rejected. Payments
        resume automatically.
      </p>
    </div>
  );
}

/** The breadcrumb of a page below an entry of the navigation. */
function Crumb(props: Pick<DashboardProps, 'navigation' | 'at' | 'tabs'> & { ctx: ApiContext }) {
  const { ctx, navigation, at, tabs } = props;
  const entry = navigation?.flatMap(({ entries }) => entries).find((each) => each.at === at);
  if (!entry || ctx.path === pathIn(ctx, entry.at)) return null;
  if (tabs?.some((tab) => tab.at === entry.at)) return null;
  return (
    <nav class="crumb" aria-label="Breadcrumb">
      <a href={pathIn(ctx, entry.at)}>{entry.name}</a>
    </nav>
  );
}

/** The tab of the page: the last one whose address the page's begins with. */
const currentTab = (ctx: ApiContext, tabs: readonly Tab[]): Tab | undefined =>
  tabs.findLast(({ at }) => `${ctx.path}/`.startsWith(`${pathIn(ctx, at)}/`));

function Tabs({ ctx, of }: { ctx: ApiContext; of: readonly Tab[] }) {
  const current = currentTab(ctx, of);
  return (
    <nav class="tabs" aria-label="Tabs" data-scrolls>
      {of.map((tab) => (
        <a key={tab.at} href={pathIn(ctx, tab.at)} aria-current={tab === current ? 'page' : undefined}>
          {tab.name}
        </a>
      ))}
    </nav>
  );
}

/**
 * The zone of the page's times, if it shows any. Rendered after them, so that it is known whether there are
 * any.
 */
function Zone({ ctx: { state } }: { ctx: ApiContext }) {
  if (!state.showsTimes) return null;
  return <footer>Times are in {state.membership!.time_zone}, unless another zone is shown.</footer>;
}

/** The titles of the document: of the tab, unless it is the first; of the object; of the workspace. */
function documentTitle(
  ctx: ApiContext,
  { title, tabs, membership }: Pick<DashboardProps, 'title' | 'tabs' | 'membership'>,
): string {
  const tab = tabs && currentTab(ctx, tabs);
  const names = [tab !== tabs?.[0] && tab?.name, title, membership?.workspace_name];
  return names.filter(Boolean).join(' · ');
}

export function showDashboard(ctx: ApiContext, props: DashboardProps, status = 200): void {
  const { title, membership, navigation, at, primary, tabs, passkeys, css = '', script, children } = props;
  const notice = takeNotice(ctx);
  sendDocument(ctx, status, {
    title: documentTitle(ctx, props),
    css: CSS + css,
    script: SCRIPT + (passkeys ? PASSKEY_SCRIPT : '') + (script ?? ''),
    // The script of all pages fetches pages to update prices.
    fetches: true,
    children: (
      <>
        <Header ctx={ctx} membership={membership} groups={navigation ?? []} at={at} />
        <main id="main" tabIndex={-1}>
          <Crumb ctx={ctx} navigation={navigation} at={at} tabs={tabs} />
          <div class="title">
            <h1>{title}</h1>
            {primary}
          </div>
          {tabs && <Tabs ctx={ctx} of={tabs} />}
          {membership?.recovering_since && <Recovering membership={membership} />}
          <NoticeContext.Provider value={notice}>
            <NoticeAt />
            {ctx.state.rejection && <Problems ctx={ctx} of={ctx.state.rejection} />}
            {children}
          </NoticeContext.Provider>
        </main>
        <Zone ctx={ctx} />
      </>
    ),
  });
}
