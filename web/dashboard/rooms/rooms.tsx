import joi from 'joi';
import { cursorParam } from '../../../api/http/cursor.js';
import { createRoom, listRooms } from '../../../api/resources/rooms/operations.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { planName, type Plans } from '../../../domain/members/plans.js';
import { findTaxRate } from '../../../domain/rates/entered-price.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import { DEFAULTS } from '../../../domain/rooms/room.js';
import { inCurrency } from '../forms/fields.js';
import { form } from '../forms/form.js';
import { page, run, type PageProps } from '../forms/page.js';
import { enteredPrice, taxWords } from '../shared/entered-price.js';
import { pathIn } from '../shared/paths.js';
import { Status } from '../shared/status.js';
import { ArchivedLink, Empty, pageQuery, Pager, Table } from '../shared/list.js';
import { sameHours } from './hours.js';
import { roomPage } from './room.js';
import { roomSettingsPage } from './settings.js';
import { describeOpeningHours } from './words.js';

type ListPage = { plans: Plans; taxCodes: TaxCode[] } & Awaited<ReturnType<(typeof listRooms)['run']>>;

const newRoom = form(
  createRoom,
  {
    name: 'Name',
    'price_per_hour.amount_minor': { label: 'Price per hour {tax} ({currency})', wide: true },
    opening_hours: sameHours,
  },
  {
    summary: 'Add room',
    button: 'Add room',
    body: inCurrency('price_per_hour'),
    taxRate: ({ taxCodes }: ListPage) => findTaxRate(taxCodes, DEFAULTS.tax_code),
    hint:
      'Remove both times for a room that is always open. Settings has different hours per day, plans and ' +
      'refund terms.',
    notice: ({ object: { name } }) => `${name} has been added.`,
    to: ({ object: { id } }) => `/rooms/${id}`,
  },
);

function Rooms(props: PageProps<ListPage>) {
  const { ctx, data } = props;
  return (
    <>
      <Table
        rows={data.data}
        empty={
          <Empty
            ctx={ctx}
            says="Rooms are what people book, such as a studio for £25 an hour from 9:00 to 18:00."
          >
            <newRoom.Opener page={props} />
          </Empty>
        }
        columns={[
          {
            name: 'Room',
            show: ({ id, name, archived }) => (
              <>
                <a href={pathIn(ctx, `/rooms/${id}`)}>{name}</a> {archived && <Status value="archived" />}
              </>
            ),
          },
          { name: 'Open', show: describeOpeningHours },
          { name: 'Capacity', show: ({ capacity }) => capacity && `${capacity} people` },
          {
            name: 'Access',
            show: ({ tiers }) => tiers?.map((tier) => planName(data.plans, tier)).join(', ') ?? 'everyone',
          },
          {
            name: `Price per hour, ${taxWords(ctx)}`,
            number: true,
            show: ({ tax_code, price_per_hour: { amount_minor, currency } }) =>
              enteredPrice(ctx, data.taxCodes, { tax_code, currency })(amount_minor),
          },
        ]}
      />
      <Pager ctx={ctx} next={data.next_cursor ?? undefined} />
      <ArchivedLink ctx={ctx} of="rooms" />
    </>
  );
}

/** Rooms by creation time, and one with its pages. */
export const rooms = [
  page({
    path: '/rooms',
    capability: 'write_blackouts',
    query: joi.object({ archived: joi.valid('yes'), cursor: cursorParam }),
    title: 'Rooms',
    primary: (props) => <newRoom.Drawer page={props} />,
    async load(request, deps): Promise<ListPage> {
      const { archived, cursor } = request.query;
      const query = { ...pageQuery(cursor), include_archived: archived === 'yes' };
      const [workspace, list] = await Promise.all([
        findWorkspace(deps.db.manager, request.caller.workspace_id),
        run(listRooms, { query }, request, deps),
      ]);
      return { plans: workspace!.plans, taxCodes: workspace!.tax_codes, ...list };
    },
    view: Rooms,
    forms: [newRoom],
  }),
  roomPage,
  roomSettingsPage,
];
