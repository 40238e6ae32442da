import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { dev, readDevJson } from '../support/stack.js';
import { until } from '../support/until.js';
import { ChaosAccounts } from './accounts.js';
import { ChaosBookers } from './bookers.js';
import { watchCredit } from './credit.js';
import {
  beginStandingFaults,
  causeFaults,
  CLOCK_FILE,
  killAll,
  letAccountingThrough,
  NETWORK_FAULTS,
  PROCESS_FAULTS,
} from './faults.js';
import { ChaosGuests } from './guests.js';
import { judgeBehind } from './behind.js';
import { judge, judgeMoney } from './judge.js';
import { settle, type Violation } from './settle.js';
import { ChaosLatePayers } from './late-payers.js';
import { ChaosDashboard } from './dashboard.js';
import { ChaosDesk } from './desk.js';
import { loseCommits, loseUnannounced, makeOverdue, restoreBackup, takeBackup } from './losses.js';
import type { Options } from './options.js';
import { ChaosPayers } from './payers.js';
import { Random } from './random.js';
import { watchRecovery } from './recovering.js';
import { Journal, Requests } from './requests.js';
import { countByLines } from './refunds-by-lines.js';
import { sabotage } from './sabotage.js';
import { disconnectBooks, newScene, type ChaosWorkspace } from './scene.js';
import { ChaosPublicGuests } from './public-guests.js';
import { ChaosSubscriptions } from './subscriptions.js';

/** How many of each kind of client run at the same time. */
const CLIENTS = [
  { Client: ChaosBookers, name: 'client', count: 4 },
  { Client: ChaosPayers, name: 'payers', count: 2 },
  { Client: ChaosAccounts, name: 'accounts', count: 1 },
  { Client: ChaosGuests, name: 'guests', count: 1 },
  { Client: ChaosDashboard, name: 'dashboard', count: 1 },
  { Client: ChaosLatePayers, name: 'late-payers', count: 1 },
  { Client: ChaosPublicGuests, name: 'public guests', count: 2 },
  { Client: ChaosDesk, name: 'desk', count: 2 },
  { Client: ChaosSubscriptions, name: 'subscriptions', count: 1 },
];
const LONGEST_PAUSE_MS = { processes: 3_000, network: 500 };
const HEALTHY_WITHIN_MS = 60_000;
/** How long clients continue after a backup was restored: they are the first to request payments again. */
const AFTER_RESTORE_MS = 15_000;

export interface ChaosOptions extends Options {
  say: (line: string) => void;
}

export interface ChaosReport {
  seed: number;
  faults: number;
  bookings: number;
  /** Holds by public guests, in addition to these bookings. */
  publicHolds: number;
  payments: number;
  /** Payments recorded at the desk, for bookings and for changes. */
  taken_at_desk: number;
  /** Bookings on account, and creates refused by a credit limit. */
  on_account: number;
  over_limit: number;
  /** Pages and forms of manage links, and the forms among them that changed a booking. */
  manage_links: number;
  managed: number;
  /** Refunds and disputes made at the processor. */
  made_at_processor: number;
  /** Refunds for changes and cancellations, and changes that have exchanged lines without money. */
  refunded_by_lines: number;
  exchanged: number;
  violations: Violation[];
}

/** Waits until every API process responds and no process is down. */
const untilHealthy = (): Promise<unknown> =>
  until(async () => {
    const { pids, baseUrls } = readDevJson();
    if (pids.api.length < dev.pids.api.length || pids.worker.length < dev.pids.worker.length) return false;
    const states = await Promise.all(
      baseUrls.map((url) =>
        fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) }).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    return states.every((status) => status === 200);
  }, HEALTHY_WITHIN_MS);

async function load(
  workspaces: ChaosWorkspace[],
  options: ChaosOptions,
  report: ChaosReport,
  onRestored: (pausedAt: Date) => void,
): Promise<Journal> {
  const { seed, seconds, loses, withoutFaults, say } = options;
  const stop = new AbortController();
  const stopFaults = new AbortController();
  if (withoutFaults) stopFaults.abort();
  setMaxListeners(0, stop.signal, stopFaults.signal);
  const journal = new Journal();
  const counts = new Map<string, number>();
  const onFault = (name: string): void => {
    report.faults++;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  const of = (name: string): Random => Random.stream(seed, name);
  const clients = CLIENTS.flatMap(({ Client, name, count }) =>
    Array.from({ length: count }, (_, n) => {
      const random = of(`${name} ${n}`);
      const requests = new Requests(random, journal, stop.signal);
      return new Client(workspaces, random, journal, requests, stop.signal).run();
    }),
  );
  const credit = watchCredit(workspaces, stop.signal);
  const faults = [
    causeFaults(
      PROCESS_FAULTS,
      () => workspaces[0]!,
      of('processes'),
      LONGEST_PAUSE_MS.processes,
      stopFaults.signal,
      onFault,
    ),
    ...workspaces.map((workspace, n) =>
      causeFaults(
        NETWORK_FAULTS,
        () => workspace,
        of(`network ${n}`),
        LONGEST_PAUSE_MS.network,
        stopFaults.signal,
        onFault,
      ),
    ),
  ];
  const gapMs = (loses === 'unannounced' ? Math.min(options.gap, seconds / 2) : seconds / 2) * 1_000;
  await sleep(seconds * 1_000 - gapMs);
  const backup = loses === 'backup' || loses === 'unannounced' ? await takeBackup() : null;
  await sleep(gapMs);
  // While the clients still act, so that there is something to lose.
  if (loses === 'commits') killAll('postgres', 'SIGQUIT');
  stopFaults.abort();
  if (backup) {
    await Promise.all(faults);
    say(`Restoring the backup of ${backup.at.toISOString()}`);
    onRestored(await (loses === 'backup' ? restoreBackup(backup) : loseUnannounced(backup, options)));
    await sleep(AFTER_RESTORE_MS);
  }
  stop.abort();
  await Promise.all([...clients, ...faults]);
  for (const [name, count] of counts) say(`  ${String(count).padStart(4)} × ${name}`);
  report.bookings = journal.bookings;
  report.publicHolds = journal.publicHolds;
  report.payments = journal.payments;
  report.taken_at_desk = journal.takenAtDesk;
  report.on_account = journal.onAccount;
  report.over_limit = journal.overLimit;
  report.manage_links = journal.manageLinks;
  report.managed = journal.managed;
  report.made_at_processor = journal.madeAtProcessor;
  report.violations.push(...(await credit));
  for (const found of journal.wrong)
    report.violations.push({ invariant: 'every response is in the document, and none is a 500', found });
  return journal;
}

/** Runs clients and faults for a time, lets the service recover, and judges the result. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, broken, loses, withoutBooks, withoutWebhooks, say } = options;
  const report: ChaosReport = {
    seed,
    faults: 0,
    bookings: 0,
    publicHolds: 0,
    payments: 0,
    taken_at_desk: 0,
    on_account: 0,
    over_limit: 0,
    manage_links: 0,
    managed: 0,
    made_at_processor: 0,
    refunded_by_lines: 0,
    exchanged: 0,
    violations: [],
  };
  writeFileSync(CLOCK_FILE, '0');
  const workspaces = await newScene(withoutWebhooks ? { drop_webhooks: ['all'] } : {}, seed);
  await Promise.all([...workspaces.map(letAccountingThrough), ...workspaces.map(beginStandingFaults)]);
  if (withoutBooks) await disconnectBooks(workspaces);
  if (broken) await sabotage(broken);
  if (loses === 'commits') await loseCommits();
  const settled = new AbortController();
  let recovery: Promise<Violation[]> | null = null;
  const journal = await load(workspaces, options, report, (pausedAt) => {
    recovery = watchRecovery(workspaces, pausedAt, settled.signal);
  });
  say('The faults have ended; waiting until the service has recovered');
  await untilHealthy();
  if (loses) await makeOverdue();
  report.violations.push(...(await settle(workspaces, options)));
  settled.abort();
  report.violations.push(...((await recovery) ?? []));
  Object.assign(report, await countByLines(workspaces));
  const judged = loses ? judgeMoney(workspaces) : judge(workspaces, journal);
  for await (const violation of judged) report.violations.push(violation);
  if (loses === 'unannounced')
    for await (const violation of judgeBehind(workspaces)) report.violations.push(violation);
  for (const { receiver } of workspaces) receiver.close();
  return report;
}
