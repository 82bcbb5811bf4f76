CREATE TABLE public.claims (
    scope text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    record_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.deliveries (
    seq bigint NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    event_type text NOT NULL COLLATE pg_catalog."C",
    resource_id text NOT NULL COLLATE pg_catalog."C",
    destination_id text NOT NULL COLLATE pg_catalog."C",
    body text NOT NULL,
    attempts integer NOT NULL,
    dead_at bigint,
    last_error text,
    ready_at bigint
);
CREATE SEQUENCE public.deliveries_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.deliveries_seq_seq OWNED BY public.deliveries.seq;
CREATE TABLE public.event_sources (
    type text NOT NULL COLLATE pg_catalog."C",
    subscription_id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.meta (
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL
);
CREATE TABLE public.records (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    parent_id text COLLATE pg_catalog."C",
    body text NOT NULL,
    revision integer NOT NULL,
    created_at text NOT NULL
);
CREATE TABLE public.refs (
    from_id text NOT NULL COLLATE pg_catalog."C",
    to_id text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.deliveries ALTER COLUMN seq SET DEFAULT nextval('public.deliveries_seq_seq'::regclass);
INSERT INTO public.claims VALUES ('hostport', 'a.example:443', 'edge_1');
INSERT INTO public.deliveries VALUES (4, 'ev_4', 'thing_updated.v0', 'b', 'ed_1', '{"event_id":"ev_4"}', 0, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES (6, 'ev_6', 'thing_updated.v0', 'c', 'ed_1', '{"event_id":"ev_6"}', 0, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES (1, 'ev_1', 'thing_updated.v0', 'a', 'ed_1', '{"event_id":"ev_1"}', 1, 1700000000000, 'gone', NULL);
INSERT INTO public.deliveries VALUES (2, 'ev_2', 'thing_updated.v0', 'a', 'ed_1', '{"event_id":"ev_2"}', 0, NULL, NULL, 1700000000000);
INSERT INTO public.deliveries VALUES (5, 'ev_5', 'thing_updated.v0', 'c', 'ed_1', '{"event_id":"ev_5"}', 0, NULL, NULL, 1700000060000);
INSERT INTO public.deliveries VALUES (3, 'ev_3', 'thing_updated.v0', 'b', 'ed_1', '{"event_id":"ev_3"}', 1, NULL, 'busy', 1700000001000);
INSERT INTO public.event_sources VALUES ('thing_updated.v0', 'es_1');
INSERT INTO public.meta VALUES ('identity', '3MU9grAy3Ncgj9h3mujfmuTyFbM');
INSERT INTO public.meta VALUES ('schema', '3');
INSERT INTO public.records VALUES ('ed_1', 'event_destination', NULL, '{"description":"ü"}', 1, '2026-11-22T00:00:00Z');
INSERT INTO public.records VALUES ('es_1', 'event_subscription', NULL, '{}', 1, '2026-11-22T00:00:00Z');
INSERT INTO public.records VALUES ('edge_1', 'thing', NULL, '{"hostports":["a.example:443"]}', 2, '2026-11-22T00:00:00Z');
INSERT INTO public.records VALUES ('route_1', 'thing', 'edge_1', '{"match":"/"}', 1, '2026-11-22T00:00:00Z');
INSERT INTO public.refs VALUES ('es_1', 'ed_1');
SELECT pg_catalog.setval('public.deliveries_seq_seq', 6, true);
ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_pk PRIMARY KEY (scope, value);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (seq);
ALTER TABLE ONLY public.event_sources
    ADD CONSTRAINT event_sources_pk PRIMARY KEY (type, subscription_id);
ALTER TABLE ONLY public.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.refs
    ADD CONSTRAINT refs_pk PRIMARY KEY (from_id, to_id);
CREATE INDEX claims_by_record ON public.claims USING btree (record_id);
CREATE INDEX deliveries_alive ON public.deliveries USING btree (destination_id, resource_id, seq) WHERE (dead_at IS NULL);
CREATE INDEX deliveries_dead ON public.deliveries USING btree (dead_at, seq) WHERE (dead_at IS NOT NULL);
CREATE INDEX deliveries_in_order ON public.deliveries USING btree (destination_id, resource_id, seq);
CREATE INDEX deliveries_ready ON public.deliveries USING btree (destination_id, ready_at, seq) WHERE (ready_at IS NOT NULL);
CREATE INDEX event_sources_by_subscription ON public.event_sources USING btree (subscription_id);
CREATE INDEX records_by_kind ON public.records USING btree (kind, id);
CREATE INDEX records_by_parent ON public.records USING btree (parent_id, id);
CREATE INDEX refs_by_target ON public.refs USING btree (to_id);
ALTER TABLE ONLY public.claims
    ADD CONSTRAINT claims_record_id_fkey FOREIGN KEY (record_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_destination_id_fkey FOREIGN KEY (destination_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.event_sources
    ADD CONSTRAINT event_sources_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refs
    ADD CONSTRAINT refs_from_id_fkey FOREIGN KEY (from_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refs
    ADD CONSTRAINT refs_to_id_fkey FOREIGN KEY (to_id) REFERENCES public.records(id) ON DELETE RESTRICT;
CREATE TABLE public.answers (
    key text NOT NULL COLLATE pg_catalog."C" PRIMARY KEY,
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    status integer NOT NULL,
    body text NOT NULL,
    revision integer,
    kept_at bigint NOT NULL
);
CREATE INDEX answers_by_age ON public.answers USING btree (kept_at);
INSERT INTO public.answers VALUES ('ak_1 once', 'fingerprint', 201, 'sealed:1:00000000:', 1, 1700000000000);
