/** What a failure means and what to do about it (docs/operations.md#runbook), by its type. */
const MEANINGS: [type: RegExp, means: string, todo: string][] = [
  [
    /^ProcessorKeyRefused/,
    "The payment processor refuses this service's own key.",
    'The operator of the service must set a valid key. Nothing is lost meanwhile, and it continues on its own.',
  ],
  [
    /^ProcessorAccountUnusable/,
    'The account at the payment processor is no longer connected.',
    'Connect the account again under Settings, Card payments.',
  ],
  [
    /^ProcessorRefused/,
    'The payment processor refused the request.',
    'Look at the payment at the processor; the text below has its reason.',
  ],
  [
    /^Processor|^Stripe/,
    'The payment processor could not be asked: it does not respond, or reports an error of its own.',
    'Nothing to do, unless the processor has no known outage: it is tried again until it works.',
  ],
  [
    /^AccountingDisconnected/,
    'The accounting system is no longer connected.',
    'Connect it again under Settings, Accounting.',
  ],
  [
    /^Accounting/,
    'The accounting system could not be asked, or refused the request.',
    'It is tried again. If the text below names a reason, fix it in the accounting system.',
  ],
  [
    /^ReferenceMissing/,
    'A record that this needs no longer exists.',
    'The operator of the service must look at the run.',
  ],
];

const OTHER = [
  'A step inside the service fails.',
  'It is tried again. If it does not end, the operator of the service must look at the worker’s log.',
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
