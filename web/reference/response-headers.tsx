import type { OpenApi } from '../../api/openapi/open-api.js';
import { FieldTable } from './schema-view.js';

export const anchorOfHeader = (name: string): string => `header-${name.toLowerCase()}`;

/** All response headers, each with what it means. */
export const ResponseHeaders = ({ document }: { document: OpenApi }) => (
  <FieldTable
    anchor={anchorOfHeader}
    fields={Object.entries(document.components.headers).map(([name, { schema, description, required }]) => ({
      name,
      schema: { ...schema, description },
      required,
    }))}
  />
);
