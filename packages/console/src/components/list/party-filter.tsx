// A filter for the records of one party.
import { PartyPicker } from '../party-picker.tsx';
import type { Filter } from './definition.ts';

interface PartyFilterProps {
  filter: Extract<Filter, { kind: 'party' }>;
  value: string;
  onChange: (value: string) => void;
}

const PartyFilter = ({ filter: { label, types }, value, onChange }: PartyFilterProps) => (
  <PartyPicker
    aria-label={label}
    placeholder={label}
    types={types}
    value={value}
    onChange={onChange}
    w={{ base: '100%', xs: 210 }}
  />
);

export default PartyFilter;
