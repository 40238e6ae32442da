import type { ApiContext } from '../../../api/http/context.js';
import { rateSent, replaceRates } from '../../../api/resources/rates/operations.js';
import { newUuid } from '../../../db/ids.js';
import { ApiError } from '../../../domain/errors.js';
import { completeRates } from '../../../domain/rates/contradictions.js';
import type { RoomRate } from '../../../domain/rates/rates.js';
import { bodyWith } from '../forms/fields.js';
import { action, form } from '../forms/form.js';
import { carried, type Inputs } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { roomTabs } from '../rooms/tabs.js';
import { Form } from '../shared/form.js';
import { pathIn } from '../shared/paths.js';
import { showSection } from '../shared/workspace.js';
import { priceInputs, whenInputs } from './inputs.js';
import { checked, findFirstDay, ratesForm, readRoom, type RoomPage } from './rates-form.js';
import { RateWeek } from './week.js';

const title = ({ room }: RoomPage): string => `New rate of ${room.name}`;
const at = ({ room }: RoomPage): string => `/rooms/${room.id}/rates/new`;

/**
 * The rates followed by the new one. Its price is not known yet, so it is marked as closed, which needs none.
 */
const withDraft = ({ room }: RoomPage, entered: Record<string, unknown>) =>
  checked([...room.rates, { ...entered, closed: true }], room);

/** The first step: it only checks what was entered, and shows the second one. */
const chooseTimes = form(
  action({ capability: 'write_rooms', body: replaceRates.body!, run: async () => {} }),
  whenInputs as Inputs<RoomPage>,
  {
    button: 'Continue',
    schema: rateSent,
    entry: ({ room }) => ({ currency: room.currency, time_zone: room.time_zone }),
    body: (entered, { data }) => withDraft(data, entered),
    leave: (_, { ctx, data }) =>
      showSection(ctx, {
        title: title(data),
        at: '/rooms',
        tabs: roomTabs({ ctx, at: at(data), data }),
        children: <PriceStep ctx={ctx} at={at(data)} data={data} />,
      }),
  },
);

const earlier = carried(whenInputs);

/** The second step, with the values of the first one. */
const setPrice = ratesForm<RoomPage>(
  { earlier, ...priceInputs },
  ({ room }, entered) => [...room.rates, entered],
  { path: '/price', notice: 'The rate has been added. Move it up to give it priority over others.' },
);

/** The rates with the one of the submitted first step; null if that is not valid. */
function draftIn(ctx: ApiContext, data: RoomPage): RoomRate[] | null {
  const { currency, time_zone } = data.room;
  const entry = { currency, time_zone };
  const place = { body: rateSent, isChange: false, entry, rowEntry: () => entry, of: undefined };
  try {
    const entered = bodyWith(earlier.read('', ctx.state.submitted!, place), rateSent);
    return completeRates(withDraft(data, entered).rates, data.room.rates, newUuid);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function PriceStep(page: PageProps<RoomPage>) {
  const { ctx, data } = page;
  const rates = draftIn(ctx, data);
  const draft = rates?.at(-1);
  const { room } = data;
  const shown = { ctx, data, action: '', body: rateSent, isChange: false, of: undefined };
  const entry = { currency: room.currency, time_zone: room.time_zone };
  return (
    <>
      <p class="soft">Step 2 of 2: for whom, and how much</p>
      <setPrice.Open page={page} />
      <Form ctx={ctx} action={pathIn(ctx, page.at)} class="actions">
        <earlier.Show name="" shown={{ ...shown, entry }} />
        <input type="hidden" name="confirmed" value="no" />
        <button class="quiet">Back</button>
      </Form>
      {rates && (
        <>
          <h2>Rates by time</h2>
          <RateWeek
            ctx={ctx}
            room={{ ...room, rates }}
            taxCodes={data.taxCodes}
            first={findFirstDay(room, draft)}
            draft={draft!.id}
          />
        </>
      )}
    </>
  );
}

const WhenStep = (page: PageProps<RoomPage>) => (
  <>
    <p class="soft">Step 1 of 2: what, and when</p>
    <chooseTimes.Open page={page} />
  </>
);

/** A new rate in two steps: when it applies; then for whom, and what it costs. */
export const newRatePage = page<RoomPage>({
  path: '/rooms/:id/rates/new',
  capability: 'write_rooms',
  title,
  tabs: roomTabs,
  async load(request, deps) {
    const { rejection } = request.ctx.state;
    const data = await readRoom(request, deps);
    const first = pathIn(request.ctx, at(data));
    // A problem with a field of the first step is shown on the first step, even if the second was submitted.
    if (rejection?.problems.some(({ field }) => field !== null && field in chooseTimes.fields))
      request.ctx.state.rejection = { ...rejection, action: first };
    return data;
  },
  view: (props) =>
    props.ctx.state.rejection?.action.endsWith(setPrice.path) ? (
      <PriceStep {...props} />
    ) : (
      <WhenStep {...props} />
    ),
  forms: [chooseTimes, setPrice],
});
