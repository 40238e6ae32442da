import joi from 'joi';
import { cursorParam } from '../../../api/http/cursor.js';
import {
  changeDiscount,
  createDiscount,
  getDiscount,
  listDiscounts,
  type Discount,
} from '../../../api/resources/discounts/operations.js';
import { takesAll } from '../../../domain/discounts/code.js';
import { createFormats, spaced, type Formats } from '../../ui/formats.js';
import { archiveForms } from '../forms/archive.js';
import { form } from '../forms/form.js';
import { oneOfFields, type Input } from '../forms/inputs.js';
import { readCompanies, type WithCompanies } from '../companies/choice.js';
import { audience } from '../rates/audience.js';
import { readRooms, roomBoxes, roomNames, type WithRooms } from '../rooms/limit.js';
import { page, run, type PageProps } from '../forms/page.js';
import { Details, FactCard } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { Id } from '../shared/id.js';
import { Status } from '../shared/status.js';
import { ArchivedLink, Empty, pageQuery, Pager, Table } from '../shared/list.js';

type Choices = WithRooms & WithCompanies;

interface OnePage extends Choices {
  discount: Discount;
}

const terms = {
  valid_from: 'Valid from',
  valid_until: 'Valid until',
  max_uses: 'Maximum uses',
  max_uses_per_payer: 'Uses per person',
  audience: audience<Choices>(),
  rooms: roomBoxes() as Input<Choices>,
};

// Amounts are entered without tax in every workspace, because a code can apply to rooms with different tax
// rates.
const newDiscount = form(
  createDiscount,
  {
    code: { label: 'Code', called: 'code', placeholder: 'SPRING-10' },
    takes: oneOfFields<Choices>('Discount', {
      percent: { choice: 'Percentage', label: 'Percent' },
      amount_minor: { choice: 'Amount', label: 'Amount excluding tax ({currency})' },
    }),
    ...terms,
  },
  {
    summary: 'New code',
    button: 'Add code',
    // A 100% code makes bookings free.
    proof: ({ body }) => takesAll(body),
    notice: ({ object: { code } }) => `${code} has been added. It can be used now.`,
    to: ({ object: { id } }) => `/discounts/${id}`,
  },
);

/** Changing who can use a 100% code, or restoring it, makes bookings free. */
const takesAllOff = ({ data }: { data: OnePage }): boolean => takesAll(data.discount);

const editDiscount = form(changeDiscount, terms, {
  summary: 'Edit',
  button: 'Save',
  of: ({ discount }: OnePage) => discount,
  hint: 'Existing bookings keep their discount. To change the percentage or amount, add another code.',
  proof: takesAllOff,
  notice: ({ code }) => `${code} has been saved.`,
});

const archiving = archiveForms(changeDiscount, {
  of: ({ discount: { code, archived } }: OnePage) => ({ name: code, archived }),
  explains: 'New bookings can no longer use it. Existing bookings keep their discount.',
  done: { archive: 'can no longer be used', restore: 'can be used again' },
  restoreProof: takesAllOff,
});

/** `10%`, or an amount. */
const amountOff = ({ percent, amount_minor, currency }: Discount, { amount }: Formats): string =>
  percent === null ? `${amount(amount_minor!, currency!)} excluding tax` : `${percent}%`;

/** When a code can be used: `until 1 Jun 2027, 00:00`. */
function validity({ valid_from, valid_until }: Discount, { moment }: Formats): string {
  const parts = [valid_from && `from ${moment(valid_from)}`, valid_until && `until ${moment(valid_until)}`];
  return parts.filter(Boolean).join(' ') || 'at any time';
}

/** `members, day office, of 2 companies`. */
function describeAudience({ kind, tiers, company_ids }: Discount['audience']): string {
  const companies =
    company_ids && `${company_ids.length} ${company_ids.length === 1 ? 'company' : 'companies'}`;
  return [kind, tiers?.map(spaced).join(', '), companies && `of ${companies}`].filter(Boolean).join(', ');
}

type ListPage = Choices & Awaited<ReturnType<(typeof listDiscounts)['run']>>;

function Discounts(props: PageProps<ListPage>) {
  const { ctx, data } = props;
  const formats = createFormats(ctx);
  return (
    <>
      <Table
        rows={data.data}
        empty={
          <Empty ctx={ctx} says="People enter a code when they book, such as SPRING-10 for 10% off.">
            <newDiscount.Opener page={props} />
          </Empty>
        }
        columns={[
          {
            name: 'Code',
            show: ({ id, code, archived }) => (
              <>
                <a href={pathIn(ctx, `/discounts/${id}`)}>{code}</a> {archived && <Status value="archived" />}
              </>
            ),
          },
          { name: 'Valid', show: (row) => validity(row, formats) },
          {
            name: 'Used',
            number: true,
            show: ({ used, max_uses }) => (max_uses === null ? used : `${used} of ${max_uses}`),
          },
          { name: 'Discount', number: true, show: (row) => amountOff(row, formats) },
        ]}
      />
      <Pager ctx={ctx} next={data.next_cursor ?? undefined} />
      <ArchivedLink ctx={ctx} of="codes" />
    </>
  );
}

function OneDiscount(props: PageProps<OnePage>) {
  const { ctx, data } = props;
  const { discount } = data;
  const formats = createFormats(ctx);
  const { max_uses, max_uses_per_payer, used } = discount;
  return (
    <div class="narrow">
      <FactCard
        of={[
          discount.archived && ['Status', <Status value="archived" />],
          ['Discount', amountOff(discount, formats)],
          ['Valid', validity(discount, formats)],
          ['Used', max_uses === null ? String(used) : `${used} of ${max_uses}`],
          max_uses_per_payer !== null && ['Uses per person', `at most ${max_uses_per_payer}`],
          ['For', describeAudience(discount.audience)],
          ['Rooms', roomNames(discount.rooms, data)],
        ]}
      />
      <div class="actions">
        <archiving.Drawer page={props} />
      </div>
      <Details of={[['ID', <Id of={discount.id} />]]} />
    </div>
  );
}

/** Anyone who knows a code can use it, so only admins see them. */
export const discounts = [
  page({
    path: '/discounts',
    capability: 'write_rooms',
    query: joi.object({ archived: joi.valid('yes'), cursor: cursorParam }),
    title: 'Discount codes',
    primary: (page) => <newDiscount.Drawer page={page} />,
    async load(request, deps): Promise<ListPage> {
      const { archived, cursor } = request.query;
      const query = { ...pageQuery(cursor), include_archived: archived === 'yes' };
      const [rooms, companies, list] = await Promise.all([
        readRooms(request, deps),
        readCompanies(request, deps),
        run(listDiscounts, { query }, request, deps),
      ]);
      return { rooms, companies, ...list };
    },
    view: Discounts,
    forms: [newDiscount],
  }),
  page({
    path: '/discounts/:id',
    capability: 'write_rooms',
    title: ({ discount }) => discount.code,
    primary: (page) => <editDiscount.Drawer page={page} icon="edit" />,
    async load(request, deps): Promise<OnePage> {
      const discount = await run(getDiscount, {}, request, deps);
      const rooms = await readRooms(request, deps, discount.rooms);
      const companies = await readCompanies(request, deps, discount.audience.company_ids ?? []);
      return { discount, rooms, companies };
    },
    view: OneDiscount,
    forms: [editDiscount, ...archiving.forms],
  }),
];
