import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { accountingLedger, newAccountingWorkspace } from '../../support/accounting.js';
import { picture, readHeading, type WatchedPage } from '../../support/browser.js';
import { readMainText } from '../../support/dashboard.js';
import { WebSession } from '../../support/web-session.js';
import { accountingSimulator } from '../../support/simulators.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

/** A workspace's accounting page, as its owner. */
async function openAccounting(owner_email: string, { id }: { id: string }): Promise<WatchedPage> {
  const session = await WebSession.start(owner_email);
  await session.enrol();
  const page = await session.openPage(browser);
  await page.goto(`${dev.baseUrl}/dashboard/${id}/accounting`);
  return page;
}

const findTenantId = async (workspaceId: string): Promise<string> =>
  (await db.query(`SELECT tenant_id FROM accounting_connections WHERE workspace_id = $1`, [workspaceId]))[0]
    .tenant_id;

test('an organisation is connected, its accounts are chosen, missing ones are named, and it is disconnected', async (t) => {
  const owner_email = uniqueEmail();
  const workspace = await newWorkspace({ owner_email });
  const { api, id } = workspace;
  const page = await openAccounting(owner_email, workspace);
  const home = page.url();
  t.is(await readHeading(page), 'Accounting');
  await picture(page, 'dashboard-accounting-unconfigured');
  await page.click('button:text("Connect to Xero")');
  await picture(page, 'dashboard-accounting-connect');
  await page.click('#consent');
  await page.selectOption('select', 'new');
  await page.click('text=Allow access');
  await page.waitForURL(`${dev.baseUrl}/accounting/callback*`);
  await until(async () => (await api.get('/v1/workspace/accounting')).status === 200);

  await page.click('a:text("Choose accounts and tax types")');
  await page.waitForURL(home);
  t.regex(await readMainText(page), /Connected to Demo Company/i);
  t.is(await page.locator('#problems').count(), 0);
  await picture(page, 'dashboard-accounting');
  await page.selectOption('#sales_account', '260');
  await page.selectOption('#payment_account', '091');
  await page.selectOption('#tax_type_1', 'OUTPUT2');
  await page.click('button:text("Save")');
  await page.waitForURL(home);
  const { body } = await api.get('/v1/workspace');
  t.like(body.accounting, { enabled: true, sales_account: '260', payment_account: '091' });
  t.is(body.tax_codes[1]!.accounting_tax_type, 'OUTPUT2');
  t.regex(await page.locator('#problems').innerText(), /charges 5%, but its tax type OUTPUT2 has 20%/);
  await page.selectOption('#tax_type_1', 'RROUTPUT');
  await page.click('button:text("Save")');
  await page.waitForURL(home);
  t.is(await page.locator('#problems').count(), 0);

  const tenant = await findTenantId(id);
  const settings = `/_sim/organisations/${tenant}/settings`;
  await accountingSimulator('POST', settings, { archive_accounts: ['260'] });
  await page.click('button:text("Refresh")');
  await page.waitForURL(home);
  t.regex(await page.locator('#problems').innerText(), /no account 260 to which sales can be posted/);
  t.is(await page.locator('#sales_account').inputValue(), '260', 'it stays until another is chosen');
  await picture(page, 'dashboard-accounting-problems');

  await api.patch('/v1/workspace', {
    tax_codes: [{ code: 'STANDARD', rate_bps: 1500, accounting_tax_type: 'OUTPUT2' }],
  });
  await page.click('button:text("Save")');
  t.regex(await page.locator('[role=alert]').innerText(), /The tax codes have changed/);
  t.is((await api.get('/v1/workspace')).body.tax_codes[0]!.rate_bps, 1500);

  await page.goto(home);
  await page.click('button:text("Disconnect")');
  await page.click('.drawer:popover-open button:text("Disconnect")');
  await page.waitForURL(home);
  t.regex(await readMainText(page), /not connected Demo Company/i);
  t.is((await api.get('/v1/workspace')).body.accounting.status, 'unconfigured');
  t.deepEqual(page.complaints, []);

  await page.setViewportSize({ width: 390, height: 800 });
  await picture(page, 'dashboard-accounting-narrow');
  await page.context().close();
});

test('withdrawn access is shown on the first page and on the accounting page', async (t) => {
  const owner_email = uniqueEmail();
  const workspace = await newAccountingWorkspace({ owner_email });
  const page = await openAccounting(owner_email, workspace);
  await accountingSimulator('POST', `/_sim/organisations/${workspace.tenant}/disconnect`, {});
  await page.click('button:text("Refresh")');
  t.regex(await page.locator('[role=alert]').innerText(), /Access was revoked/);
  t.regex(await readMainText(page), /disconnected Test house/i);
  await page.goto(`${dev.baseUrl}/dashboard/${workspace.id}`);
  t.regex(await readMainText(page), /The accounting system is no longer connected/);
  await picture(page, 'dashboard-accounting-revoked');
  t.truthy((await accountingLedger(workspace)).requests!.some(({ status }) => status === 403));
  await page.context().close();
});
