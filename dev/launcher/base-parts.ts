import { node, type Plan } from './plan.js';
import { preparePostgres } from './postgres.js';
import { SIMULATOR_APP, stripeKey } from './service-environment.js';
import { findTemporal, temporalProgram } from './temporal.js';

/** Starts what the service depends on, unless a setting replaces it, and builds the workflow bundle. */
export async function startBase(plan: Plan): Promise<void> {
  const { settings, addresses } = plan;
  await Promise.all([
    settings.databaseUrl === undefined && startPostgres(plan),
    settings.temporalAddress === undefined && startTemporal(plan),
    addresses.processorUrl && startProcessor(plan),
    addresses.accountingUrl && startAccounting(plan),
    startMailbox(plan),
    buildBundle(plan),
  ]);
}

const startPostgres = ({ report, supervisor, home, ports, secrets, options }: Plan): Promise<void> =>
  report.step('Postgres', async () => {
    const program = await preparePostgres({
      folder: home.postgres,
      port: ports.named.POSTGRES_PORT,
      password: secrets.postgresPassword,
      fresh: options.fresh,
      settings: options.postgresSettings,
      countsStatements: options.countsStatements,
      run: (task) => supervisor.run(task),
    });
    await supervisor.startBase(program);
  });

const startTemporal = ({ report, supervisor, home, ports, options }: Plan): Promise<void> =>
  report.step('Temporal', async (say) => {
    const command = await findTemporal(say, (task) => supervisor.run(task));
    say('');
    const program = temporalProgram({
      command,
      database: home.temporalDb,
      port: ports.named.TEMPORAL_PORT,
      uiPort: ports.named.TEMPORAL_UI_PORT,
      settings: options.temporalSettings,
    });
    await supervisor.startBase(program);
  });

function startProcessor({ report, supervisor, home, ports, settings, proxyHeaders }: Plan): Promise<void> {
  const env = {
    ...stripeKey(settings),
    PROCESSOR_PORT: String(ports.named.PROCESSOR_PORT),
    PROCESSOR_DATA: home.processor,
    PROCESSOR_WEBHOOK_HEADERS: JSON.stringify(proxyHeaders),
  };
  const program = node('processor', 'dev/processor/main.js', { env });
  return report.step('payment processor (simulator)', () => supervisor.startBase(program));
}

function startAccounting({ report, supervisor, home, ports, environment }: Plan): Promise<void> {
  const env = {
    ...SIMULATOR_APP,
    ACCOUNTING_ISSUER: environment.XERO_ISSUER!,
    ACCOUNTING_PORT: String(ports.named.ACCOUNTING_PORT),
    ACCOUNTING_DATA: home.accounting,
  };
  const program = node('accounting', 'dev/accounting/main.js', { env });
  return report.step('accounting (simulator)', () => supervisor.startBase(program));
}

function startMailbox({ report, supervisor, home, ports }: Plan): Promise<void> {
  const env = {
    MAIL_PORT: String(ports.named.MAIL_PORT),
    SMTP_PORT: String(ports.named.SMTP_PORT),
    MAIL_DATA: home.mail,
  };
  const program = node('mailbox', 'dev/mailbox/main.js', { env });
  return report.step('mailbox', () => supervisor.startBase(program));
}

function buildBundle({ report, supervisor, environment }: Plan): Promise<void> {
  const traced = environment.OTEL_EXPORTER_OTLP_ENDPOINT ? ['--traced'] : [];
  const program = node('bundle', 'worker/bundle.js', { args: ['--if-changed', ...traced] });
  return report.step('workflow bundle', () => supervisor.run(program));
}
