/** What a failure means and what to do about it (docs/operations.md#runbook), by its type. */
const MEANINGS: [type: RegExp, means: string, todo: string][] = [
  [
    /^ProcessorKeyRefused/,
    'The payment processor rejects the API key of this service.',
    'The operator of the service must set a valid key. Nothing is lost, and processing then continues automatically.',
  ],
  [
    /^ProcessorAccountUnusable/,
    'The account at the payment processor is no longer connected.',
    'Reconnect the account under Settings → Card payments.',
  ],
  [
    /^ProcessorRefused/,
    'The payment processor rejected the request.',
    'Check the payment with the processor. The technical details give the reason.',
  ],
  [
    /^Processor|^Stripe/,
    'The payment processor is unavailable: it does not respond, or reports an internal error.',
    'This is retried until it succeeds. If the processor reports no outage, contact its support.',
  ],
  [
    /^AccountingDisconnected/,
    'The accounting system is no longer connected.',
    'Reconnect it under Settings → Accounting.',
  ],
  [
    /^Accounting/,
    'The accounting system is unavailable, or rejected the request.',
    'This is retried. If the technical details name a reason, fix it in the accounting system.',
  ],
  [
    /^ReferenceMissing/,
    'A required record no longer exists.',
    'The operator of the service must check the workflow run.',
  ],
];

const OTHER = [
  'An internal step fails.',
  'This is retried. If it persists, the operator of the service must check the worker’s log.',
] as const;

/** A step of a run that fails. */
export interface FailingStep {
  step: string;
  /** Sentences for people. */
  means: string;
  todo: string;
  tries: number | null;
  next: Date | null;
  /** The text of the outside system. */
  raw: string;
}

/** Explains a failure by its raw text, which begins with its type. */
export function explain(
  step: string,
  raw: string,
  tries: number | null = null,
  next: Date | null = null,
): FailingStep {
  const known = MEANINGS.find(([type]) => type.test(raw));
  const [means, todo] = known ? [known[1], known[2]] : OTHER;
  return { step, means, todo, tries, next, raw };
}

const ATTENTION =
  /^\*\*Attention:\*\* (.*?) keeps failing and is retried: (.*) \((\d+) tries, the next at (\S+)\)$/s;

/** The parts of a run's current details: what it waits for, steps that fail, and other problems. */
export function readDetails(details: string): { status: string[]; failing: FailingStep[] } {
  const status: string[] = [];
  const failing: FailingStep[] = [];
  for (const paragraph of details.split('\n\n').filter(Boolean)) {
    const match = ATTENTION.exec(paragraph);
    if (match) failing.push(explain(match[1]!, match[2]!, Number(match[3]), new Date(match[4]!)));
    else status.push(paragraph.replace('**Attention:** ', '').replaceAll('**', ''));
  }
  return { status, failing };
}
