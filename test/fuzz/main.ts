import { untilInterrupted } from '../../dev/launcher/interrupted.js';
import { sentenceFor } from '../../dev/launcher/problem.js';
import { createReport } from '../../dev/launcher/report.js';
import { separateSettings } from '../../dev/launcher/settings.js';
import { withStack } from '../../dev/launcher/stack.js';
import { hasPython } from './schemathesis.js';

/**
 * `npm run fuzz [examples for each operation, 50] [seed]`: runs schemathesis against the API with its
 * document. It finds 5xx responses and responses that the document does not describe. It uses its own stack
 * with fresh data.
 */
const ENVIRONMENT = { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error' };

if (!hasPython()) {
  console.log('Skipped: npm run fuzz needs python3, 3.10 or newer, with venv.');
  process.exit(0);
}

const [examples = '50', seed] = process.argv.slice(2);
for (const [name, value] of Object.entries(ENVIRONMENT)) process.env[name] ||= value;
const report = createReport(process.stdout);

try {
  const clean = await withStack(
    separateSettings('fuzz'),
    report,
    { fresh: true },
    async (stack) => {
      process.env.HOLDFAST_DEV_JSON = stack.home.devJson;
      const { fuzz } = await import('./run.js');
      return fuzz(Number(examples), seed);
    },
    untilInterrupted(),
  );
  process.exitCode = clean ? 0 : 1;
} catch (error) {
  console.error(sentenceFor(error));
  process.exitCode = 1;
}
report.close();
process.exit();
