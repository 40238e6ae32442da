import joi from 'joi';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { cursorParam } from '../../../api/http/cursor.js';
import {
  changeExtra,
  createExtra,
  getExtra,
  listExtras,
  type Extra,
} from '../../../api/resources/extras/operations.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { EXTRA_UNITS } from '../../../domain/extras/extras.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import { describeRefundSteps } from '../../../domain/bookings/refund-words.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { UNITS } from '../../ui/extras.js';
import { archiveForms } from '../forms/archive.js';
import { inCurrency, type Submitted } from '../forms/fields.js';
import { form } from '../forms/form.js';
import type { Inputs } from '../forms/inputs.js';
import { readRooms, roomBoxes, roomNames, type WithRooms } from '../rooms/limit.js';
import { ownRefundSteps } from '../rooms/own-refund-steps.js';
import { metadataForm, MetadataSection } from '../forms/metadata.js';
import { page, run, type PageProps, type PageRequest } from '../forms/page.js';
import { chosenTaxRate, taxOptions } from '../invoices/invoice-forms.js';
import { Details, FactCard } from '../shared/action.js';
import { describeTax, enteredPrice, taxWords } from '../shared/entered-price.js';
import { pathIn } from '../shared/paths.js';
import { Id } from '../shared/id.js';
import { Status } from '../shared/status.js';
import { ArchivedLink, Empty, pageQuery, Pager, Table } from '../shared/list.js';

interface Choices extends WithRooms {
  taxCodes: TaxCode[];
}
interface OnePage extends Choices {
  extra: Extra;
}
type ListPage = Choices & Awaited<ReturnType<(typeof listExtras)['run']>>;

async function readChoices(
  request: PageRequest,
  deps: ApiDependencies,
  rooms: readonly string[] | null = null,
): Promise<Choices> {
  const workspace = await findWorkspace(deps.db.manager, request.caller.workspace_id);
  return { rooms: await readRooms(request, deps, rooms), taxCodes: workspace!.tax_codes };
}

const inputs: Inputs<Choices> = {
  name: 'Name',
  'price.amount_minor': 'Price {tax} ({currency})',
  unit: { label: 'Charged', options: EXTRA_UNITS.map((unit) => [unit, UNITS[unit]]), initial: 'piece' },
  tax_code: {
    label: 'Tax',
    options: ({ taxCodes }) => taxOptions(taxCodes),
    initial: ({ taxCodes }) => taxCodes[0]?.code ?? '',
  },
  stock: 'Stock',
  cutoff_hours: { label: 'Cut-off (hours before start)', initial: '0' },
  accounting_account: 'Sales account',
  rooms: roomBoxes(),
  internal: 'Staff only',
  refund_steps: ownRefundSteps('Refund on cancellation'),
};

const taxRate = ({ taxCodes, extra }: Choices & Partial<OnePage>, submitted?: Submitted) =>
  chosenTaxRate(taxCodes, submitted, extra?.tax_code ?? taxCodes[0]!.code);

const newExtra = form(createExtra, inputs, {
  summary: 'New extra',
  button: 'Add extra',
  taxRate,
  body: inCurrency('price'),
  notice: ({ object: { name } }) => `${name} has been added. It can be booked now.`,
  to: ({ object: { id } }) => `/extras/${id}`,
});

const editExtra = form(changeExtra, inputs, {
  summary: 'Edit',
  button: 'Save',
  of: ({ extra }: OnePage) => extra,
  entry: ({ extra }) => ({ currency: extra.price.currency }),
  taxRate,
  body: inCurrency('price'),
  hint: 'Existing bookings keep their price and terms.',
  notice: ({ name }) => `${name} has been saved.`,
});

const editMetadata = metadataForm(changeExtra, ({ extra }: OnePage) => extra);

const archiving = archiveForms(changeExtra, {
  of: ({ extra }: OnePage) => extra,
  explains: 'It can no longer be added to bookings. Existing bookings keep it.',
  done: { archive: 'can no longer be added to bookings', restore: 'can be booked again' },
});

function Extras(props: PageProps<ListPage>) {
  const { ctx, data } = props;
  return (
    <>
      <Table
        rows={data.data}
        empty={
          <Empty ctx={ctx} says="Extras are booked with a room, such as lunch or a projector.">
            <newExtra.Opener page={props} />
          </Empty>
        }
        columns={[
          {
            name: 'Extra',
            show: ({ id, name, archived, internal }) => (
              <>
                <a href={pathIn(ctx, `/extras/${id}`)}>{name}</a> {archived && <Status value="archived" />}
                {internal && <small>staff only</small>}
              </>
            ),
          },
          { name: 'Rooms', show: ({ rooms }) => roomNames(rooms, data) },
          { name: 'Stock', number: true, show: ({ stock }) => stock ?? 'unlimited' },
          {
            name: `Price, ${taxWords(ctx)}`,
            number: true,
            show: ({ price: { amount_minor, currency }, tax_code, unit }) => (
              <>
                {enteredPrice(ctx, data.taxCodes, { tax_code, currency })(amount_minor)}{' '}
                <small>{UNITS[unit]}</small>
              </>
            ),
          },
        ]}
      />
      <Pager ctx={ctx} next={data.next_cursor ?? undefined} />
      <ArchivedLink ctx={ctx} of="extras" />
    </>
  );
}

const RefundTerms = ({ steps }: { steps: Extra['refund_steps'] }) =>
  steps ? (
    <>
      {describeRefundSteps(ENGLISH, steps).map((sentence) => (
        <div key={sentence}>{sentence}</div>
      ))}
    </>
  ) : (
    <>on the room’s terms</>
  );

function OneExtra(props: PageProps<OnePage>) {
  const { ctx, data } = props;
  const { extra, taxCodes } = data;
  const { tax_code, unit } = extra;
  const { amount_minor, currency } = extra.price;
  const price = enteredPrice(ctx, taxCodes, { tax_code, currency })(amount_minor);
  return (
    <div class="narrow">
      <FactCard
        of={[
          extra.archived && ['Status', <Status value="archived" />],
          ['Price', `${price} ${UNITS[unit]}, ${describeTax(ctx, taxCodes, tax_code)}`],
          ['Rooms', roomNames(extra.rooms, data)],
          ['Stock', extra.stock ?? 'unlimited'],
          extra.cutoff_hours > 0 && ['Cut-off', `${extra.cutoff_hours} hours before the start`],
          ['Booked by', extra.internal ? 'staff only' : 'everyone'],
          ['Refunds', <RefundTerms steps={extra.refund_steps} />],
          extra.accounting_account && ['Sales account', extra.accounting_account],
        ]}
      />
      <div class="actions">
        <archiving.Drawer page={props} />
      </div>
      <MetadataSection page={props} of={extra.metadata} form={editMetadata} />
      <Details of={[['ID', <Id of={extra.id} />]]} />
    </div>
  );
}

export const extras = [
  page({
    path: '/extras',
    capability: 'write_rooms',
    query: joi.object({ archived: joi.valid('yes'), cursor: cursorParam }),
    title: 'Extras',
    primary: (page) => <newExtra.Drawer page={page} />,
    async load(request, deps): Promise<ListPage> {
      const { archived, cursor } = request.query;
      const query = { ...pageQuery(cursor), include_archived: archived === 'yes' };
      const [choices, list] = await Promise.all([
        readChoices(request, deps),
        run(listExtras, { query }, request, deps),
      ]);
      return { ...choices, ...list };
    },
    view: Extras,
    forms: [newExtra],
  }),
  page({
    path: '/extras/:id',
    capability: 'write_rooms',
    title: ({ extra }) => extra.name,
    primary: (page) => <editExtra.Drawer page={page} icon="edit" />,
    async load(request, deps): Promise<OnePage> {
      const extra = await run(getExtra, {}, request, deps);
      const choices = await readChoices(request, deps, extra.rooms);
      return { ...choices, extra };
    },
    view: OneExtra,
    forms: [editExtra, editMetadata, ...archiving.forms],
  }),
];
