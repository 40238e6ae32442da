import { readFileSync } from 'node:fs';

/**
 * A form to another site that submits itself; without scripts by its button. The page has its script, and its
 * target among `formTargets`.
 */
export function Submitting(props: { to: string; fields: Record<string, string>; button: string }) {
  return (
    <form method="post" action={props.to} data-submits>
      {Object.entries(props.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button>{props.button}</button>
    </form>
  );
}

Submitting.script = readFileSync(new URL('./submit-form.js', import.meta.url), 'utf8');
