import type { JsonSchema } from '../openapi/json-schema.js';
import { typeOf } from './schema-view.js';

/** The event types of a document, each with its object and an example. */
export function EventTypes({ document }: { document: JsonSchema }) {
  const webhooks = Object.entries<JsonSchema>(document.webhooks);
  return (
    <div class="scroll">
      <table>
        {webhooks.map(([type, { post }]) => {
          const { schema, example } = post.requestBody.content['application/json'];
          return (
            <tr key={type}>
              <th>
                <code>{type}</code>
              </th>
              <td>
                {typeOf(schema.properties.data.properties.object)}
                <details>
                  <summary>Example</summary>
                  <pre>
                    <code>{JSON.stringify(example, null, 2)}</code>
                  </pre>
                </details>
              </td>
            </tr>
          );
        })}
      </table>
    </div>
  );
}
