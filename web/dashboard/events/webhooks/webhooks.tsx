import joi from 'joi';
import type { ApiContext } from '../../../../api/http/context.js';
import {
  deleteWebhookEndpoint,
  putWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
} from '../../../../api/resources/events/webhook-endpoint/operations.js';
import type { WebhookEndpoint } from '../../../../db/entities/events.js';
import { listSentEvents, type SentEvent } from '../../../../db/queries/events/sent-event.js';
import { findEndpoint } from '../../../../db/queries/events/webhook-endpoint.js';
import {
  ALL_EVENTS,
  EVENT_TYPES,
  OPT_IN_EVENT_TYPES,
  TEST_EVENT_TYPE,
} from '../../../../domain/events/types.js';
import { Secret } from '../../../ui/copy.js';
import { createFormats } from '../../../ui/formats.js';
import { form } from '../../forms/form.js';
import type { Input } from '../../forms/inputs.js';
import { page, type PageProps } from '../../forms/page.js';
import { pathIn } from '../../shared/paths.js';
import { DISABLED_REASONS } from '../../shared/causes.js';
import { Select } from '../../shared/fields.js';
import { About } from '../../shared/action.js';
import { AlreadySubmitted, Form } from '../../shared/form.js';
import { Status } from '../../shared/status.js';
import { Empty } from '../../shared/list.js';
import { Delivery, EventTable } from '../events.js';

const EVENTS_SHOWN = 10;
const OVERLAP_HOURS = 24;

interface Webhooks {
  endpoint: WebhookEndpoint | null;
  events: SentEvent[];
  lastTest: SentEvent | undefined;
}

/** The form's choice of all events: those that `*` selects, and those that are subscribed to by name. */
const EVERY_EVENT = 'every';
const ALL_NAME = 'all booking and member events';
const TYPES = [...EVENT_TYPES, ...OPT_IN_EVENT_TYPES];

const eventTypes: Input<Webhooks> = {
  fields: (name) => ({
    [name]: joi
      .array()
      .items(joi.string().valid(EVERY_EVENT, ALL_EVENTS, ...TYPES))
      .single()
      .unique()
      .min(1)
      .required()
      .messages({ 'any.required': 'Choose at least one event' }),
  }),
  read: (name, form) => ({
    [name]: form[name]!.includes(EVERY_EVENT) ? [ALL_EVENTS, ...OPT_IN_EVENT_TYPES] : form[name],
  }),
  Show({ name, shown: { data } }) {
    const chosen = data.endpoint?.event_types ?? [ALL_EVENTS];
    const isEvery = [ALL_EVENTS, ...OPT_IN_EVENT_TYPES].every((type) => chosen.includes(type));
    return (
      <Select
        name={name}
        label="Events"
        size={8}
        options={[
          [EVERY_EVENT, 'all events'],
          [ALL_EVENTS, ALL_NAME],
          ...TYPES.map((type) => [type, type] as const),
        ]}
        chosen={isEvery ? [EVERY_EVENT] : chosen}
      />
    );
  },
  wide: () => true,
  called: () => ({}),
};

/** A secret, shown once. A repeated form explains that it cannot be shown again. */
const NewSecret = ({ ctx, secret }: { ctx: ApiContext; secret: string | null }) => (
  <div class="card shown-once">
    {secret ? (
      <>
        <p>Copy this secret now to verify signatures. It will not be shown again.</p>
        <Secret id="secret">{secret}</Secret>
      </>
    ) : (
      <AlreadySubmitted secret="secret">replace it again</AlreadySubmitted>
    )}
    <a class="button" href={pathIn(ctx, '/webhooks')}>
      {secret ? 'I’ve saved it' : 'Back to webhooks'}
    </a>
  </div>
);

const saveEndpoint = form(
  putWebhookEndpoint,
  { url: { label: 'URL', type: 'url' }, event_types: eventTypes },
  {
    summary: ({ endpoint }: Webhooks) => (endpoint ? 'Edit' : 'Register endpoint'),
    button: ({ endpoint }) => (endpoint ? 'Save and enable' : 'Register'),
    of: ({ endpoint }) => endpoint ?? {},
    proof: true,
    show: ({ object: { secret } }, { ctx }) =>
      secret
        ? { title: 'The endpoint is registered', children: <NewSecret ctx={ctx} secret={secret} /> }
        : null,
    notice: () => 'Endpoint saved and enabled.',
  },
);

const sendTest = form(
  testWebhookEndpoint,
  {},
  {
    path: '/test',
    button: 'Send test event',
    notice: () => 'Test event sent.',
  },
);

const replaceSecret = form(
  rotateWebhookSecret,
  {},
  {
    path: '/rotate-secret',
    summary: 'Replace secret',
    button: 'Replace secret',
    explains: 'Events are signed with the new secret at once, and for one day with the current one too.',
    body: () => ({ overlap_hours: OVERLAP_HOURS }),
    proof: true,
    show: ({ secret }, { ctx }) => ({
      title: secret ? 'The secret has been replaced' : 'The secret was already replaced',
      children: <NewSecret ctx={ctx} secret={secret} />,
    }),
  },
);

const removeEndpoint = form(
  deleteWebhookEndpoint,
  {},
  {
    path: '/remove',
    summary: 'Delete',
    button: 'Delete endpoint',
    rare: true,
    explains: 'No more events are sent, and the secret is deleted.',
    notice: () => 'Endpoint deleted. No more events are sent.',
  },
);

function Endpoint({ page, endpoint }: { page: PageProps<Webhooks>; endpoint: WebhookEndpoint }) {
  const { ctx, at, data } = page;
  const { url, event_types, status, disabled_reason, created_at } = endpoint;
  return (
    <About
      title="Endpoint"
      of={[
        [
          'Status',
          <>
            <Status value={status} />
            {disabled_reason && <small class="alert">{DISABLED_REASONS[disabled_reason]}</small>}
          </>,
        ],
        ['URL', url],
        ['Events', event_types.map((type) => (type === ALL_EVENTS ? ALL_NAME : type)).join(', ')],
        ['Since', createFormats(ctx).moment(created_at)],
        data.lastTest && [
          'Last test',
          <span id="test-result">
            <Delivery ctx={ctx} of={data.lastTest} />
          </span>,
        ],
      ]}
    >
      <Form ctx={ctx} action={pathIn(ctx, `${at}/test`)}>
        <button class="quiet">Send test event</button>
      </Form>
      <replaceSecret.InRow page={page} />
      <removeEndpoint.InRow page={page} />
    </About>
  );
}

function EndpointPage(props: PageProps<Webhooks>) {
  const { ctx, data } = props;
  const { endpoint, events } = data;
  if (!endpoint)
    return (
      <Empty ctx={ctx} says="An endpoint receives events, such as booking.confirmed, as they happen.">
        <saveEndpoint.Opener page={props} />
      </Empty>
    );
  return (
    <>
      <Endpoint page={props} endpoint={endpoint} />
      <h2>Latest events</h2>
      <EventTable ctx={ctx} events={events} />
      <p class="links">
        <a href={pathIn(ctx, '/events')}>All events</a>
      </p>
    </>
  );
}

export const webhooks = [
  page({
    path: '/webhooks',
    capability: 'manage_webhooks',
    title: 'Webhooks',
    primary: (page) => <saveEndpoint.Drawer page={page} icon={page.data.endpoint ? 'edit' : 'plus'} />,
    async load({ caller: { workspace_id } }, { db: { manager } }): Promise<Webhooks> {
      const endpoint = await findEndpoint(manager, workspace_id);
      const events = await listSentEvents(manager, { workspace_id, limit: EVENTS_SHOWN });
      const [lastTest] = await listSentEvents(manager, { workspace_id, type: TEST_EVENT_TYPE, limit: 1 });
      return { endpoint, events, lastTest };
    },
    view: EndpointPage,
    forms: [saveEndpoint, sendTest, replaceSecret, removeEndpoint],
  }),
];
