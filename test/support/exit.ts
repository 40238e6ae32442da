import { registerCompletionHandler } from 'ava';

// Without this, AVA waits ten seconds for open connections.
registerCompletionHandler(() => {
  process.exit();
});
