-- Who changed the phone number of a subscriber or agent last, and when: that user may not reset the PIN for 24 hours.
alter table subscribers add column phone_changed_at timestamptz, add column phone_changed_by text collate "C";
alter table agents add column phone_changed_at timestamptz, add column phone_changed_by text collate "C";
