import type { JsonSchema } from '../../api/openapi/json-schema.js';
import { resolveSchema, type OpenApi } from '../../api/openapi/open-api.js';
import { Code } from './code.js';
import { describeType, MarkedText } from './schema-view.js';

/** The schema of the object of an event, whose `data` has a name. */
const resolveEventObject = (document: OpenApi, { properties }: JsonSchema): JsonSchema =>
  resolveSchema(document, properties!.data!).properties!.object!;

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
              <span class="soft">{describeType(resolveEventObject(document, schema))}</span>
            </dt>
            <dd>
              <MarkedText text={post.description ?? ''} />
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
