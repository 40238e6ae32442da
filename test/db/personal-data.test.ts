import test from 'ava';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Erased, ErasureKey, Kept, NotPersonal } from '../../db/personal-data/declarations.js';
import { tableErasure } from '../../db/personal-data/rules.js';

@Entity('visits')
class Visit {
  @PrimaryColumn('text') id!: string;
  @ErasureKey('bookings') @Column('text') booking_id!: string;
  @Kept @Column('text') room!: string;
  @Erased @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { nullable: true }) phone!: string | null;
}

@Entity('badges')
class Badge {
  @ErasureKey('members') @PrimaryColumn('text') member_id!: string;
  @Column('text') name!: string;
}

@Entity('doors')
class OpenRoute {
  @PrimaryColumn('text') id!: string;
}

@NotPersonal
@Entity('floors')
class Floor {
  @PrimaryColumn('text') id!: string;
}

test('a column without a declaration is erased, and is an error if it cannot be null', (t) => {
  t.deepEqual(tableErasure('bookings', Visit), {
    table: 'bookings',
    by: ['booking_id', 'bookings'],
    values: { name: null, phone: null },
    redacted: {},
  });
  t.throws(() => tableErasure('members', Badge), { message: /members\.name/ });
});

test('a table declares who its rows are about, or that they are about nobody', (t) => {
  t.throws(() => tableErasure('rooms', OpenRoute), { message: /rooms needs an ErasureKey/ });
  t.is(tableErasure('rooms', Floor), null);
});
