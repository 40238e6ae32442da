import { TestWorkflowEnvironment } from '@temporalio/testing';

// Run as a process of its own, so that it can be given up: lets the SDK fetch its Temporal CLI into a folder.
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', version: 'v1.5.1', downloadDir: process.argv[2] } },
});
await environment.teardown();
process.exit(0);
