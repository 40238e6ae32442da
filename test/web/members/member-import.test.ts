import test from 'ava';
import { storing } from '../../support/rows.js';
import { openOffice, pageText } from '../../support/dashboard.js';
import { db } from '../../support/stack.js';
import { uniqueEmail } from '../../support/workspaces.js';
import { newUuid } from '../../../db/ids.js';

const storeCompanies = storing('companies');

test('an import finds each of 6,000 companies by its name, and the oldest among several', async (t) => {
  const { workspace, session, home } = await openOffice();
  const began = Date.now() - 10_000_000;
  const companies = Array.from({ length: 6_000 }, (_, n) => ({
    id: newUuid(),
    workspace_id: workspace.id,
    name: `Company ${n}`,
    autopay: false,
    created_at: new Date(began + n * 1_000),
  }));
  const namesake = { ...companies[5_998]!, id: newUuid(), created_at: new Date() };
  await storeCompanies(db, [...companies, namesake]);

  const [first, last] = [uniqueEmail(), uniqueEmail()];
  const csv = `email,company\n${first},company 0\n${last},COMPANY 5998\n${uniqueEmail()},Company 6000`;
  const bulk = `${home}/members/import`;
  const preview = await session.submit(bulk, bulk, { csv });
  const words = pageText(await preview.clone().text());
  t.true(words.includes('Invite 2 of 3'), words);
  t.true(words.includes('There is no company “Company 6000”'), words);
  await session.confirmForm(preview);

  const readCompany = async (email: string) =>
    (await workspace.api.get(`/v1/members?q=${email}`)).body.data[0]!.company!.id;
  t.is(await readCompany(first), companies[0]!.id);
  t.is(await readCompany(last), companies[5_998]!.id);
});

test('an import refuses a plan that can mean two, says what to write, and names the lines of the text', async (t) => {
  const { workspace, session, home } = await openOffice();
  await workspace.api.patch('/v1/workspace', { plans: { plus: { name: 'Pro' }, pro: { name: 'Pro Max' } } });
  const csv = `email,name,tier\n\n${uniqueEmail()},"Ada\nLovelace",pro\n${uniqueEmail()},Bea,Pro max\n`;
  const bulk = `${home}/members/import`;
  const words = pageText(await (await session.submit(bulk, bulk, { csv })).text());
  t.true(words.includes('Invite 1 of 2'), words);
  t.true(words.includes('1 × Pro Max'), words);
  t.regex(words, /3 \S+ Pro “pro” can mean Pro \(plus\) or Pro Max \(pro\)\. Write “plus” or “Pro Max”\./);
});
