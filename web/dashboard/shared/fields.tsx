import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { useWords } from '../../ui/language.js';
import { FormRejectionContext } from './form.js';

/** The submitted value and the problems of a field whose form was rejected. */
function useField(name: string) {
  const rejection = useContext(FormRejectionContext);
  const problems = rejection?.problems.filter(({ field }) => field === name) ?? [];
  const submitted = rejection && [rejection.submitted[name] ?? []].flat();
  const marks = problems.length > 0 && { 'aria-invalid': true, 'aria-describedby': `${name}-problem` };
  return { submitted, problems, marks: marks || {} };
}

function Problems({ name }: { name: string }) {
  const { problems } = useField(name);
  if (problems.length === 0) return null;
  return (
    <p class="alert" id={`${name}-problem`}>
      {problems.map(({ message }) => message).join(' ')}
    </p>
  );
}

interface Named {
  name: string;
  label: string;
}

/** What follows the name of something that can be left out. */
export function Optional() {
  const words = useWords();
  return <span class="soft"> {words.say('page.optional')}</span>;
}

const Label = ({ name, label, optional }: Named & { optional?: boolean }) => (
  <label for={name}>
    {label}
    {optional && <Optional />}
  </label>
);

/** `optional`: false for a field that another one makes required. */
type Text = Named & { required?: boolean; optional?: false };

export function TextField({ name, label, optional, value, ...rest }: Text & InputHTMLAttributes) {
  const { submitted, marks } = useField(name);
  return (
    <>
      <Label name={name} label={label} optional={optional ?? !rest.required} />
      <input {...rest} {...marks} id={name} name={name} value={submitted ? submitted[0] : value} />
      <Problems name={name} />
    </>
  );
}

export function TextArea({ name, label, optional, value, ...rest }: Text & TextareaHTMLAttributes) {
  const { submitted, marks } = useField(name);
  return (
    <>
      <Label name={name} label={label} optional={optional ?? !rest.required} />
      <textarea {...rest} {...marks} id={name} name={name} value={submitted ? submitted[0] : value} />
      <Problems name={name} />
    </>
  );
}

export function Choice(props: {
  type?: 'checkbox' | 'radio';
  name: string;
  value?: string;
  checked?: boolean;
  required?: boolean;
  children: ComponentChildren;
}) {
  const { type = 'checkbox', name, value = 'on', checked, required, children } = props;
  const { submitted } = useField(name);
  return (
    <label class="choice">
      <input
        type={type}
        name={name}
        value={value}
        checked={submitted ? submitted.includes(value) : checked}
        required={required}
      />{' '}
      {children}
    </label>
  );
}

interface Choosing extends Named {
  options: readonly (readonly [value: string, label: string])[];
  chosen: readonly string[];
}

/** The options, and what is chosen but not among them, as it is: a form never drops a value silently. */
export const withChosen = (options: Choosing['options'], chosen: readonly string[]): Choosing['options'] => [
  ...options,
  ...chosen
    .filter((value) => value !== '' && !options.some(([each]) => each === value))
    .map((value) => [value, value] as const),
];

export function Choices({ type, name, label, chosen, ...rest }: Choosing & { type?: 'radio' }) {
  const { marks } = useField(name);
  const options = type === 'radio' ? rest.options : withChosen(rest.options, chosen);
  return (
    <fieldset id={name} {...marks}>
      <legend>{label}</legend>
      {options.map(([value, label]) => (
        <Choice key={value} type={type} name={name} value={value} checked={chosen.includes(value)}>
          {label}
        </Choice>
      ))}
      <Problems name={name} />
    </fieldset>
  );
}

/** A select field; with a `size`, several values can be selected. A choice that must be made starts empty. */
export function Select(props: Choosing & { size?: number; optional?: boolean }) {
  const { name, label, chosen, size, optional } = props;
  const options = withChosen(props.options, chosen);
  const { submitted, marks } = useField(name);
  const isPreset = optional || size || options.some(([value]) => chosen.includes(value));
  const canBeEmpty = optional && options.some(([value]) => value === '');
  return (
    <>
      <Label name={name} label={label} optional={canBeEmpty} />
      <select id={name} name={name} required={!isPreset} multiple={Boolean(size)} size={size} {...marks}>
        {!isPreset && <option value="">Choose</option>}
        {options.map(([value, label]) => (
          <option key={value} value={value} selected={(submitted ?? chosen).includes(value)}>
            {label}
          </option>
        ))}
      </select>
      <Problems name={name} />
    </>
  );
}
