import { registerCompletionHandler } from 'ava';

// AVA waits ten seconds for open connections otherwise; ours end with the process.
registerCompletionHandler(() => {
  process.exit();
});
