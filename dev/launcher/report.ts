const TICK_MS = 1000;
const QUIET_MS = 2000;
const PLAIN_INTERVAL_MS = 15_000;

/** Sets the detail that is shown with a running step. */
export type Say = (detail: string) => void;

/** Progress output: a line for each finished step, and running steps with the elapsed seconds. */
export interface Report {
  step<T>(title: string, work: (say: Say) => Promise<T>): Promise<T>;
  line(text: string): void;
  close(): void;
}

interface Running {
  title: string;
  detail: string;
  since: number;
  shownAt: number;
}

/** On a terminal, running steps share one line that is updated; elsewhere they are printed at intervals. */
export function createReport(out: NodeJS.WriteStream): Report {
  const running = new Set<Running>();
  const live = Boolean(out.isTTY) && !process.env.CI;
  // A closed terminal must not prevent the launcher from stopping its children.
  out.on('error', () => {});

  const clear = () => live && out.write('\r\x1b[K');
  const describe = (step: Running) =>
    `${step.title}${step.detail && ` (${step.detail})`} ${seconds(Date.now() - step.since)}`;

  function tick(): void {
    if (live) {
      clear();
      const text = [...running].map(describe).join(' · ');
      out.write(text && `  … ${text}`.slice(0, (out.columns || 80) - 1));
      return;
    }
    const now = Date.now();
    for (const step of running) {
      const due = step.shownAt ? step.shownAt + PLAIN_INTERVAL_MS : step.since + QUIET_MS;
      if (now < due) continue;
      step.shownAt = now;
      out.write(`  … ${describe(step)}\n`);
    }
  }

  const timer = setInterval(tick, TICK_MS);
  const line = (text: string) => {
    clear();
    out.write(`${text}\n`);
    if (live) tick();
  };

  return {
    line,
    async step(title, work) {
      const step: Running = { title, detail: '', since: Date.now(), shownAt: 0 };
      running.add(step);
      try {
        const result = await work((detail) => (step.detail = detail));
        running.delete(step);
        line(`  ✔ ${title} ${seconds(Date.now() - step.since)}`);
        return result;
      } finally {
        running.delete(step);
      }
    },
    close() {
      clearInterval(timer);
      clear();
    },
  };
}

function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}
