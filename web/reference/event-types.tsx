import type { OpenApi } from '../../api/openapi/open-api.js';
import { Code } from './code.js';
import { describeType } from './schema-view.js';

/** The event types of a document, each with its object and an example. */
export function EventTypes({ document }: { document: OpenApi }) {
  const webhooks = Object.entries(document.webhooks);
  return (
    <dl class="fields">
      {webhooks.map(([type, { post }]) => {
        const { schema, example } = post.requestBody.content['application/json'];
        return (
          <div key={type} id={`event-${type}`} data-find={type}>
            <dt>
              <code>{type}</code>{' '}
              <span class="soft">{describeType(schema.properties!.data!.properties!.object!)}</span>
            </dt>
            <dd>
              <details>
                <summary>Example</summary>
                <Code label={`Event ${type}`}>{JSON.stringify(example, null, 2)}</Code>
              </details>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
