import test from 'ava';
import { inNewHome, launch } from '../support/launcher.js';

test('an invalid setting is reported in one sentence that names it, before anything is started', async (t) => {
  const notWhole = /: set it to a whole number /;
  const invalid = /^Invalid configuration: /;
  for (const [variable, value, sentence] of [
    ['PORT', 'eighty', notWhole],
    ['SMTP_PORT', '70000', notWhole],
    ['API_PROCESSES', '-1', notWhole],
    ['SELF_HEAL_AFTER_SECONDS', 'x', invalid],
    ['RATE_LIMIT_SCALE', '0', invalid],
    ['WEBHOOK_RETRY_SCALE', 'x', invalid],
  ] as const) {
    await inNewHome(async (home) => {
      const { code, stdout, stderr } = await launch(home, { [variable]: value }).ended;
      t.is(code, 1, variable);
      t.is(stdout, '', variable);
      t.regex(stderr, sentence);
      t.regex(stderr, new RegExp(`\\b${variable}\\b.*\\.\n$`));
    });
  }
});
