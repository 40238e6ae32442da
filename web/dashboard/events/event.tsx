import { listDeliveries } from '../../../db/queries/events/event.js';
import { findEndpoint } from '../../../db/queries/events/webhook-endpoint.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { eventOf } from '../../../api/resources/events/read.js';
import type { Handler } from '../../../api/http/context.js';
import { Facts } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Form } from '../shared/form.js';
import { Id } from '../shared/id.js';
import { formatsOf } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { Table } from '../shared/list.js';
import { ObjectLink } from './events.js';
import { showSection } from '../shared/workspace.js';

/** `GET /dashboard/:workspace/events/:id`: an event with its attempts and its body. */
export function showEvent(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const event = await eventOf(ctx, deps);
    const { id, workspace_id, type, sequence } = event;
    const deliveries = await listDeliveries(deps.db.manager, workspace_id, id);
    const endpoint = await findEndpoint(deps.db.manager, workspace_id);
    const object = event.data.object as { id?: string } | null;
    const { moment } = formatsOf(ctx);
    showSection(ctx, {
      title: type,
      at: '/events',
      children: (
        <>
          <Facts
            of={[
              ['When', moment(new Date(event.created_at))],
              object?.id && ['Object', <ObjectLink ctx={ctx} id={object.id} />],
              ['Sequence', `${sequence} for this object`],
              ['ID', <Id of={id} />],
            ]}
          />
          <h2>Deliveries</h2>
          <Table
            rows={deliveries.map((delivery) => ({ ...delivery, id: String(delivery.attempt) }))}
            empty="No attempts."
            columns={[
              { name: 'Attempt', show: ({ attempt, at }) => `${attempt}: ${moment(at)}` },
              {
                name: 'Response',
                show: ({ status_code, error }) => {
                  const delivered = status_code !== null && status_code >= 200 && status_code < 300;
                  return (
                    <>
                      <Status value={delivered ? 'delivered' : 'failed'} /> {status_code ?? error}
                    </>
                  );
                },
              },
              { name: 'Duration', show: ({ duration_ms }) => <span class="soft">{duration_ms} ms</span> },
              {
                name: 'Response body',
                show: ({ response_excerpt }) => response_excerpt && <code>{response_excerpt}</code>,
              },
            ]}
          />
          {endpoint ? (
            <Form ctx={ctx} action={pathIn(ctx, `/events/${id}/redeliver`)} class="actions">
              <button class="quiet">Redeliver</button>
            </Form>
          ) : (
            <p>
              <a href={pathIn(ctx, '/webhooks')}>Register an endpoint</a> to deliver it.
            </p>
          )}
          <h2>Payload</h2>
          <pre class="card">{JSON.stringify(event, null, 2)}</pre>
        </>
      ),
    });
  };
}
