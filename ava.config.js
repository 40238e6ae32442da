// AVA's settings. A process that starts AVA with a message channel, as dev/testing/run.ts does, gets the
// run's events through AVA's experiment `observeRunsFromConfig`, because AVA's reporters only print text. An
// experiment may change in any release, so package.json pins one.
const observed = {
  nonSemVerExperiments: { observeRunsFromConfig: true },
  async observeRun({ events }) {
    for await (const event of events) process.send(event);
  },
};

export default {
  files: ['build/test/**/*.test.js', 'build/suites/*.js'],
  nodeArguments: ['--enable-source-maps', '--min-semi-space-size=16'],
  workerThreads: false,
  concurrency: 1,
  timeout: '15m',
  // What waits most takes longest.
  sortTestFiles: (a, b) => Number(b.includes('scenarios')) - Number(a.includes('scenarios')),
  require: ['./build/test/support/ava-process.js'],
  ...(process.send && observed),
};
