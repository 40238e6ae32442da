import { useContext } from 'preact/hooks';
import type { Route } from '../../../api/http/operation.js';
import { MAX_KEYS, MAX_VALUE, type Metadata } from '../../../domain/metadata.js';
import type { Capability } from '../../../domain/policies.js';
import { About } from '../shared/action.js';
import { FormRejectionContext } from '../shared/form.js';
import { repeated, type Submitted } from './fields.js';
import { form, type Action, type Form } from './form.js';
import type { Input } from './inputs.js';
import type { PageProps } from './page.js';

/** How many rows there are for new keys. */
const NEW_ROWS = 2;

const cellsIn = (form: Submitted | undefined, name: string): string[] => [form?.[name] ?? []].flat();

/**
 * Rows of key and value: those of the object, then empty ones. Clearing a row removes its key. A key that was
 * added since the form was shown stays.
 */
const metadataRows: Input<unknown> = {
  fields: () => ({ metadata_shown: repeated, metadata_key: repeated, metadata_value: repeated }),
  read(name, form) {
    const values = cellsIn(form, 'metadata_value');
    const entered = cellsIn(form, 'metadata_key').map((key, n): [string, string] => [
      key.trim(),
      values[n] ?? '',
    ]);
    return {
      [name]: {
        ...Object.fromEntries(cellsIn(form, 'metadata_shown').map((key) => [key, null])),
        ...Object.fromEntries(entered.filter(([key, value]) => key || value)),
      },
    };
  },
  Show({ shown: { of } }) {
    const submitted = useContext(FormRejectionContext)?.submitted;
    const stored = Object.entries((of as { metadata: Metadata }).metadata);
    const storedKeys = stored.map(([key]) => key);
    const [known, keys, values] = submitted
      ? [
          cellsIn(submitted, 'metadata_shown'),
          cellsIn(submitted, 'metadata_key'),
          cellsIn(submitted, 'metadata_value'),
        ]
      : [storedKeys, storedKeys, stored.map(([, value]) => value)];
    const count = submitted ? keys.length : Math.min(stored.length + NEW_ROWS, MAX_KEYS);
    return (
      <table class="inputs metadata">
        <thead>
          <tr>
            <th>Key</th>
            <th>Value</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: count }, (_, n) => (
            <tr key={n}>
              <td data-label="Key">
                {n < known.length && <input type="hidden" name="metadata_shown" value={known[n]} />}
                <input
                  id={n === 0 ? 'metadata' : undefined}
                  name="metadata_key"
                  aria-label={`Key ${n + 1}`}
                  maxlength={40}
                  value={keys[n]}
                />
              </td>
              <td data-label="Value">
                <input
                  name="metadata_value"
                  aria-label={`Value ${n + 1}`}
                  maxlength={MAX_VALUE}
                  value={values[n]}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    );
  },
  wide: () => true,
  called: () => ({}),
};

/** The form for the metadata of an object, by the operation that changes it. `capability`: as of a form. */
export const metadataForm = <R extends Route, Body, Result, Data>(
  operation: Action<R, Body, Result>,
  of: (data: Data) => { metadata: Metadata },
  capability?: Capability,
): Form<Data> =>
  form<R, Body, Result, Data>(
    operation,
    { metadata: metadataRows },
    {
      path: '/metadata',
      capability,
      summary: 'Edit metadata',
      button: 'Save metadata',
      of,
      hint: 'Custom values for your integrations. Clear a row to remove it.',
      notice: () => 'Metadata saved.',
    },
  );

/** Metadata in one line: `crm_id: 4711, source: fair`; empty without any. */
export const formatMetadata = (metadata: Metadata): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ');

/** The metadata of an object on its page, for staff, with its form for those who may change it. */
export function MetadataSection<Data>(props: { page: PageProps<Data>; of: Metadata; form: Form<Data> }) {
  const { page, of, form } = props;
  const { role } = page.ctx.state.membership!;
  const entries = Object.entries(of);
  if (entries.length === 0 || role === 'member') return null;
  return (
    <About title="Metadata" of={entries}>
      <form.Drawer page={page} quiet />
    </About>
  );
}
