import type { ApiContext } from '../../api/http/context.js';
import { showPage } from '../ui/layout.js';
import { describeOAuthError } from './error-words.js';

/**
 * Shows an error of the authorization server to a person, with the details that the application's developers
 * need.
 */
export function showRefusal(ctx: ApiContext, error: string, description: string | undefined): void {
  const [what, todo] = describeOAuthError(error);
  showPage(ctx, ctx.status, {
    title: 'The application could not be authorized',
    mark: 'bad',
    children: (
      <>
        <p role="alert">{what}</p>
        <p>{todo}</p>
        <details>
          <summary>For the application’s developers</summary>
          <code>{[error, description].filter(Boolean).join(': ')}</code>
        </details>
      </>
    ),
  });
}
