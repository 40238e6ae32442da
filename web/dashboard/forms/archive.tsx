import type { ComponentChildren } from 'preact';
import type { Operation, Route } from '../../../api/http/operation.js';
import { form, type Form, type FormOptions } from './form.js';
import type { PageProps } from './page.js';

interface ArchiveOptions<Body, Result, Data> {
  of: (data: Data) => { name: string; archived: boolean };
  explains: ComponentChildren;
  /** Outcome in words: `can no longer be used`. */
  done: { archive: string; restore: string };
  /** Whether restoring needs a fresh proof. */
  restoreProof?: FormOptions<Body, Result, Data>['proof'];
}

/** The forms that archive an object and restore it, by an operation whose body has `archived`. */
export function archiveForms<R extends Route, Body, Result, Data>(
  operation: Operation<R, Body, undefined, Result>,
  { of, explains, done, restoreProof }: ArchiveOptions<Body, Result, Data>,
) {
  const archive = form<R, Body, Result, Data>(
    operation,
    {},
    {
      path: '/archive',
      summary: 'Archive',
      button: (data) => `Archive ${of(data).name}`,
      rare: true,
      explains,
      body: () => ({ archived: true }),
      notice: (_, { data }) => `${of(data).name} ${done.archive}.`,
    },
  );
  const restore = form<R, Body, Result, Data>(
    operation,
    {},
    {
      path: '/restore',
      summary: 'Restore',
      button: (data) => `Restore ${of(data).name}`,
      body: () => ({ archived: false }),
      proof: restoreProof,
      notice: (_, { data }) => `${of(data).name} ${done.restore}.`,
    },
  );
  return {
    forms: [archive, restore] as readonly Form<Data>[],
    Drawer: ({ page }: { page: PageProps<Data> }) =>
      of(page.data).archived ? <restore.Drawer page={page} quiet /> : <archive.Drawer page={page} quiet />,
    Open: ({ page }: { page: PageProps<Data> }) =>
      of(page.data).archived ? <restore.Open page={page} /> : <archive.Open page={page} />,
    Closed: ({ page }: { page: PageProps<Data> }) =>
      of(page.data).archived ? <restore.Closed page={page} /> : <archive.Closed page={page} />,
  };
}
