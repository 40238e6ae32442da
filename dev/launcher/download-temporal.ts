import { TestWorkflowEnvironment } from '@temporalio/testing';

// Downloads the Temporal CLI into a folder with the SDK's own downloader. It is a separate process, so that
// it can time out.
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', version: 'v1.5.1', downloadDir: process.argv[2] } },
});
await environment.teardown();
process.exit(0);
