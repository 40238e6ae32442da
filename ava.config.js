// The settings of AVA. A process that starts AVA with a message channel, as dev/testing/run.ts does, gets the
// events of the run by AVA's experiment `observeRunsFromConfig`: its reporters give text only. An experiment
// may change in any release, so package.json names one.
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
