"""Faults that other implementations had, of cards, turns, places, seeds, logs and verdicts, and what shows each here.

`FAULTS` leads from each kind of fault, by number, to the examples that show it: scenes and cases behind the vectors,
mutators, vectors, and tests. Each example has to exist and to come out as stated. The tests below the table look for
the rest of a kind where single examples are not all of it, mostly under rules of any kind and by seats in any order.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.audit import audit
from fairdeal.cards import FACES, FIRST_JOKER, JOKER_RANK, NO_RANK, TWO, fresh_cards, parse_cards
from fairdeal.codec import Log, encode_log, encode_record
from fairdeal.codes import Code
from fairdeal.commit import round_seed, seed_tree, terms_hash, transcript
from fairdeal.draws import Draws
from fairdeal.errors import Malformed
from fairdeal.evidence import Evidence, Receipt
from fairdeal.hands import count_hand, hand_cards
from fairdeal.hashing import file_digest, tagged_hash
from fairdeal.law import NATURAL, STRAIGHT_RANK, TURNED, Law, Order
from fairdeal.legal import legal_actions
from fairdeal.match import Match
from fairdeal.play import NOBODY, Round
from fairdeal.players import largest, random_legal
from fairdeal.records import (
    OPERATOR,
    PASS,
    Action,
    Actions,
    Close,
    Commitment,
    Deal,
    Opened,
    Record,
    RoundEnd,
    Sealed,
    Signature,
    Timing,
    pass_action,
    play_action,
    set_action,
    signer_of,
    straight_action,
    timed,
)
from fairdeal.replay import replay
from fairdeal.report import DEFAULT_REQUIRED, GuaranteeName, Report, Step, Verdict
from fairdeal.ruleset import load_preset
from fairdeal.rulewire import rules_named
from fairdeal.secretfile import FORMAT, MatchSecret
from fairdeal.settings import EqualRank, FirstCard, GoingOut, Joker, LaterLeader, LoneJoker, Revolution, Rules, Twos
from fairdeal.shuffle import deck_order
from fairdeal.sign import sign, signed_message
from fairdeal.simulate import Simulated, Simulation, simulate
from fairdeal.ticket import decode_ticket, encode_ticket
from fairdeal.values import canonical
from fairdeal.vectors import envelope
from fairdeal.vectors.check import shipped
from fairdeal.vectors.mutators import MUTATORS, falsified
from fairdeal.vectors.mutators.draft import close, draft_of, reopen, settle, unsigned, write_opening
from fairdeal.vectors.mutators.going import play_on
from fairdeal.vectors.stages import exchange as exchange_stage
from fairdeal.vectors.stages import score as score_stage
from fairdeal.vectors.stages import table as table_stage
from fairdeal.vectors.stages.cases import Case, Recompute, cases
from fairdeal.vectors.stages.scenes import Scene, after, scenes
from fairdeal.wire import record_value
from tests.conftest import SAMPLES, all_signed, apart, held_by_all, played, rebuilt, refused, run, where
from tests.random_rules import random_rules
from tests.referee import is_legal_history, made_good
from tests.strategies import hashes, many, some
from tests.test_anchor import WRONG_SEEDS
from tests.test_attacks_changes import committed, match, regroupings

# --- the table


class Example(NamedTuple):
    """One example: what kind it is, its name, the code it is refused by or None, and what comes out of it.

    `then` is what is stated of a lawful scene, or under `place` where a lie is found, its numbers left out.
    """

    kind: str
    name: str
    code: str | None
    then: Mapping[str, Any]


class Fault(NamedTuple):
    """One kind of fault in words, and the examples that show it."""

    says: str
    shown: tuple[Example, ...]


Group = tuple[Example, ...]


def fault(says: str, *groups: Group) -> Fault:
    """Return a fault with all examples of its groups."""
    return Fault(says, tuple(one for group in groups for one in group))


def wrong(kind: str, code: str, *names: str) -> Group:
    """Return scenes, cases or vectors that are refused by one code."""
    return tuple(Example(kind, name, code, {}) for name in names)


def right(kind: str, name: str, **then: Any) -> Group:
    """Return a scene, a case or a vector that is lawful, and what comes out of it."""
    return (Example(kind, name, None, then),)


def refuses(code: str, *scenes_of_play: str) -> Group:
    """Return scenes of play in which the action is refused by one code."""
    return wrong("play", code, *scenes_of_play)


def allows(scene: str, **then: Any) -> Group:
    """Return a scene of play in which the action is lawful, and what comes out of it."""
    return right("play", scene, **then)


def lies(code: str, place: str, *names: str) -> Group:
    """Return mutators whose logs are found false by one code and at one place."""
    return tuple(Example("lie", name, code, {"place": place}) for name in names)


def proofs(module: str, *names: str) -> Group:
    """Return tests of a module."""
    return tuple(Example("test", f"{module}::{name}", None, {}) for name in names)


PLAY = "round[].trick[].play[]"
HERE = "test_scenarios_of_others"
CARDS_AND_LEGALITY = {
    1: fault(
        "A card that is held once passes for two of itself.",
        refuses("not-held", "one card named twice is no pair", "one joker named twice is no pair in one pack"),
        refuses("not-held", "two copies are not three", "a card of two packs is not there a third time"),
        refuses("not-held", "even two packs have no third copy of a joker", "one pack has each joker once"),
        refuses("not-held", "five seats play with one pack, in which no card is there twice"),
        allows("both copies of a card are a pair", count=2),
        wrong("exchange", "not-held", "one card listed twice is not two cards", "a card received cannot go back twice"),
        wrong("exchange", "not-held", "a seat with one copy cannot give two"),
        wrong("table", "not-held", "five seats play one pack, in which every card is there once"),
        lies("not-held", PLAY, "card-twice"),
        lies("not-held", "round[].exchange[]", "tribute-card-twice"),
        proofs("test_play", "test_fault_1_one_card_listed_twice_is_no_pair"),
        proofs("test_cli_player", "test_other_cards_refute"),
        proofs(HERE, "test_only_cards_in_the_hand_are_laid"),
    ),
    2: fault(
        "What was laid stays in the hand and is laid again.",
        refuses("not-held", "a card laid once is gone two tricks later"),
        refuses("not-held", "when both copies of a card are played it is gone"),
        lies("not-held", PLAY, "card-again"),
        proofs("test_play", "test_fault_2_a_played_card_is_gone", "test_cards_and_places_add_up"),
        proofs(HERE, "test_a_play_takes_its_cards_and_no_others", "test_only_cards_in_the_hand_are_laid"),
    ),
    3: fault(
        "Cards come out of a hand that never had them, or has them no longer.",
        refuses("not-held", "a card in another hand, dealt there or given there, cannot be played"),
        refuses("not-held", "without jokers in the pack nobody holds one to play"),
        refuses("not-held", "who holds the second joker does not play the first"),
        wrong("exchange", "not-held", "a card that another seat holds cannot be given"),
        wrong("exchange", "not-held", "a card that nobody was dealt is no tribute, however good"),
        wrong("table", "not-held", "a card that was dealt to the next seat cannot be played"),
        wrong("table", "not-held", "a card given away is not played afterwards"),
        lies("not-held", PLAY, "card-of-another", "card-given-away"),
        lies("not-held", "round[].exchange[]", "return-not-held"),
        proofs("test_play", "test_fault_3_a_card_of_another_seat"),
        proofs("test_exchange", "test_fault_3_a_card_that_was_given_away"),
        proofs(HERE, "test_only_cards_in_the_hand_are_laid"),
    ),
    4: fault(
        "With two packs a play takes both copies of its card away.",
        allows("of two copies one may be played and the other kept", turn=1, trick=2),
        allows("of two copies of a card one is played and the other is still held"),
        allows("who holds the second copy of the 2 just played is not out yet", finishing=[], dropped=[]),
        refuses("not-held", "after one copy is laid the other is no pair by itself"),
        right(
            "exchange",
            "either copy is the card that goes back, and one stays",
            after=["Ac 2s", "5c 6c Qc", "7c 8c", "9c Tc", "Jc", "3c 2s"],
        ),
        wrong("table", "not-held", "of two copies one stays, and not both"),
        proofs("test_play", "test_fault_4_the_other_copy_stays"),
        proofs(HERE, "test_a_play_takes_its_cards_and_no_others"),
    ),
    5: fault(
        "Nobody looks at what lies on the pile.",
        refuses("too-low", "a pair of 6s does not go on a pair of 9s", "the 10 is below the jack"),
        refuses("too-low", "the 7 of spades is no higher than the 7 of clubs"),
        refuses("too-low", "a last card is no empty pile: what is lower does not follow it"),
        refuses("too-low", "while the order is turned over a straight with a higher top is too low"),
        refuses("count", "two kings are one card too many for a single 6"),
        refuses("kind", "a straight of three is no answer to three of a rank"),
        allows("a pair is beaten by a pair of a higher rank", turn=2, count=2),
        allows("on an empty pile neither count nor rank of the trick before matters", trick=2),
        lies("too-low", PLAY, "play-too-low", "play-equal", "revolution-forgotten", "revolution-invented"),
        lies("count", PLAY, "play-of-wrong-count"),
        lies("kind", PLAY, "set-on-straight", "straight-on-set"),
        proofs("test_play", "test_fault_5_a_play_is_compared_with_the_pile"),
        proofs("test_rules_random", "test_both_engines_agree"),
    ),
    6: fault(
        "A joker that nothing beats is answered by the other joker.",
        refuses("too-low", "after a joker on four 2s the other joker is not accepted"),
        refuses("too-low", "after a joker on four 2s the second joker is no answer"),
        refuses("too-low", "a joker whose player is out has no answer either", "a 2 does not beat a trump"),
        refuses("too-low", "the option to skip makes no match of joker on joker", "nor can a trump be burned"),
        refuses("too-low", "not even the same joker from the other pack answers a trump"),
        refuses("count", "two jokers on a trump are one card too many"),
        allows("one joker beats four 2s, and the next seat is asked", turn=2, trick=1, count=1),
        lies("too-low", PLAY, "trump-answered"),
        proofs(HERE, "test_nothing_answers_a_trump"),
    ),
    7: fault(
        "Jokers stand in at tables where they stand for nothing but themselves.",
        refuses("not-a-set", "two 7s and a joker are no triple where jokers are high"),
        refuses("not-a-set", "two 7s and a joker are no triple in the Polish game"),
        refuses("not-a-set", "in the French game no joker stands in", "a high joker stands in for nothing"),
        refuses("not-a-straight", "a high joker fills no gap in a straight"),
        allows("three 7s with a joker turn the order over", order="turned"),
        lies("not-a-set", PLAY, "joker-not-wild"),
        proofs(HERE, "test_jokers_stand_in_only_where_they_are_wild"),
    ),
    8: fault(
        "One strong 2 and several are mixed up, or the ways in which tables make 2s strong.",
        allows("one 2 is enough for four kings", closing="twos", turn=1),
        allows("one 2 beats a pair, and clears it", closing="twos", turn=1),
        refuses("count", "two 2s on four kings are no privilege and two cards short"),
        refuses("count", "two 2s of one suit from two packs have no privilege either"),
        allows("two 2s beat four kings, which they do where 2s are wild and nowhere else", turn=2, count=2),
        allows("one 2 is enough for four kings, and the trick goes on with a count of one", turn=2, count=1),
        refuses(
            "count", "three 2s are one too many for two kings", "a single ordinary 2 has to match the count of a pair"
        ),
        refuses("count", "clearing gives a single 2 no right to ignore the count"),
        refuses("too-low", "two 2s do not beat two"),
        lies("count", PLAY, "two-twos-on-three"),
        lies("too-low", PLAY, "twos-not-outnumbered"),
    ),
    9: fault(
        "A stand-in at the end of a straight counts as a rank too high.",
        allows("a joker after queen and king is the ace, and beats jack, queen and king", turn=2, count=3),
        refuses("too-low", "queen, king and a joker end at the ace, so they do not beat queen, king and ace"),
        refuses("too-low", "a joker before queen and king is the jack, no higher than a natural jack, queen and king"),
        refuses("too-low", "two jokers before a 7 make 5-6-7, no higher than the natural one"),
        refuses("not-a-straight", "a joker after the ace would be a 2, which is in no straight"),
        refuses("not-a-straight", "there is no rank below the 3 for a joker"),
        allows("a stand-in is the rank of its place in a turned order, too: 7-8-joker ends below 10"),
        lies("not-a-straight", PLAY, "straight-past-the-ace"),
        proofs("test_second_engine", "test_wild_straights"),
        proofs(HERE, "test_a_straight_has_the_rank_that_its_natural_cards_leave"),
    ),
    10: fault(
        "A stand-in bridges a gap of more than its one rank.",
        refuses("not-a-straight", "one joker does not fill the two ranks between 5 and 8"),
        refuses("not-a-straight", "between 5 and 6 there is no rank for a joker", "a straight has no gap"),
        refuses("not-a-straight", "a joker makes no straight of two equal ranks"),
        allows("a joker fills the gap between 5 and 7", count=3),
        allows("two jokers fill the two ranks between 5 and 8, the first joker the 6", count=4),
        lies("not-a-straight", PLAY, "straight-with-a-gap"),
        proofs(HERE, "test_a_straight_has_the_rank_that_its_natural_cards_leave"),
    ),
}

TURNS_AND_LEADS = {
    11: fault(
        "Once a seat is out the turn follows a list and not the table.",
        allows("when a seat goes out the turn is its neighbour's", turn=3, finishing=[2]),
        refuses("turn", "when a seat goes out the turn does not jump to the first of the list"),
        refuses("turn", "the lead after a seat that is out is not for the first number of the list"),
        refuses("turn", "the next number is out of turn where another seat sits next"),
        allows("the lead goes past seats that are out to the next holder along the seating", turn=0, trick=2),
        allows("a neighbour that is out is not skipped: the next holder is"),
        proofs("test_play", "test_fault_11_the_turn_stays_clockwise", "test_seat_numbers_decide_nothing"),
        proofs(HERE, "test_turn_and_lead_go_clockwise"),
    ),
    12: fault(
        "A final pass is forgotten, or a pass that is not final is taken for one.",
        allows("who passed is not asked again on the same pile", turn=2),
        refuses("turn", "who could have played and passed does not come back to the same pile"),
        allows("a seat that passed for want of cards stays locked when a second revolution would let it play", turn=2),
        refuses("turn", "who passed does not pass once more"),
        refuses("turn", "after a pass there are no more turns until the pile is swept"),
        allows("a lock ends with its trick"),
        allows("a skipped seat plays when the turn comes round, where a pass would have locked it", turn=3),
        allows("with open passing who passed may play when the turn comes round", turn=2),
        refuses("turn", "with open passing who passed is asked again, and nobody acts in its place"),
        lies("turn", PLAY, "locked-seat-plays"),
        proofs("test_play", "test_fault_12_a_seat_that_passed_is_asked_again"),
        proofs("test_second_engine", "test_open_pass_and_locking_pass"),
        proofs(HERE, "test_turn_and_lead_go_clockwise", "test_who_is_out_or_locked_is_not_asked"),
    ),
    13: fault(
        "Who has no cards left is asked again.",
        refuses("turn", "a seat that is out has no turn, not even for a pass two plays later"),
        refuses("turn", "who is out on a 2 gets no turn any more", "who has dropped gets no turn any more"),
        refuses("round-over", "the last holder plays nothing more"),
        allows("a seat that is out is not asked on the next round of the pile", turn=2),
        allows("the passes of the holders are enough to end a trick"),
        lies("turn", PLAY, "pass-of-seat-that-is-out"),
        lies("round-over", PLAY, "play-after-the-last-place"),
        proofs("test_play", "test_fault_13_a_seat_that_is_out_has_no_turn"),
        proofs(HERE, "test_who_is_out_or_locked_is_not_asked"),
    ),
    14: fault(
        "A pass that is missing goes unnoticed, or shows too late.",
        refuses("turn", "where a pass is missing, the play after it is out of turn"),
        lies("turn", PLAY, "pass-missing", "pass-twice", "actions-swapped"),
        proofs("test_play", "test_fault_14_a_missing_pass_is_found_where_it_is_missing"),
        proofs(HERE, "test_a_missing_pass_is_found_there_under_any_rules"),
        proofs(HERE, "test_a_missing_pass_may_leave_another_lawful_play"),
    ),
    15: fault(
        "What a last card does to the table is lost with the seat that laid it.",
        allows("a match with the last card skips as any other", skipped=2, turn=3, finishing=[1]),
        refuses("turn", "the neighbour of a seat that went out by a match does not play"),
        allows("a last 7 on a 7 skips the next seat that has none", skipped=2, turn=3),
        allows("a last 2 that matches a 2 drops and still skips the next seat", skipped=2, turn=3, dropped=[1]),
        allows("who goes out with four 9s leaves the order turned over", order="turned", finishing=[0]),
        allows("after a revolution by last cards the next holder leads, and a 5 beats its 7", order="turned"),
        allows("four 7s as last cards clear the pile, and the next holder leads", closing="completed rank", turn=1),
        allows("a match with the last card burns the pile, and the next holder leads", closing="burn", turn=2),
        allows("a last 2 clears too, and the next holder leads", closing="twos", turn=2),
        allows("a burn that ends the round is still why the pile went", closing="burn", over=True),
        allows("a trump as the last card stands, and the others are asked", turn=2, closing=""),
        proofs("test_second_engine", "test_a_last_card_still_skips", "test_a_round_that_ends_keeps_what_closed_it"),
        proofs(HERE, "test_a_last_card_does_what_any_card_does"),
    ),
    16: fault(
        "Switching the exchange off switches another rule off with it.",
        right("table", "with the exchange off last place leads all the same"),
        wrong("table", "turn", "the president does not", "the holder of the 3♣ does not"),
        allows("without an exchange the last place of the round before still leads", turn=0),
        refuses("turn", "without an exchange the 3♣ gives no lead in a later round"),
        right("exchange", "with the exchange off a later round begins like the first", due=[], open=0),
        wrong("exchange", "exchange-unexpected", "a tribute to the president where the exchange is off"),
        lies("exchange-unexpected", "round[].exchange[]", "terms-without-exchange"),
        proofs("test_match", "test_fault_16_the_last_leads_without_an_exchange"),
        proofs(HERE, "test_an_exchange_that_is_off_changes_nothing_else"),
    ),
    17: fault(
        "When the winner of a trick is out, the lead passes over the holder who sits next.",
        allows("nobody beats a last card, and the next holder leads although it passed first", turn=1, trick=2),
        allows("of those that passed on a last card the one who sits closest leads", turn=2, trick=2),
        refuses(
            "turn", "the seat that led the trick does not lead again while another holder sits closer to the winner"
        ),
        refuses("turn", "locked or not, the holder closest to the winner leads"),
        refuses("turn", "after a last 2 the lead goes clockwise, not back to the one who led before"),
        refuses("turn", "after a burn by a last card the seat that was matched does not lead"),
        refuses("turn", "the lead of one who has dropped does not go back to the seat before"),
        allows("a seat skipped by a last card leads when nobody beats that card"),
        proofs("test_play", "test_fault_17_the_closest_holder_leads_after_an_out_player"),
        proofs(HERE, "test_turn_and_lead_go_clockwise"),
    ),
    18: fault(
        "For a seat whose time is up on the lead the clock passes, which nobody may do there.",
        wrong("codec", "malformed", "a clock mark before nothing", "a clock marker before a commitment"),
        refuses("pass-on-lead", "the round does not begin with a pass"),
        refuses("pass-on-lead", "who leads in the place of a seat that is out cannot pass the lead on"),
        lies("pass-on-lead", PLAY, "pass-on-lead", "clock-passes-on-the-lead"),
        lies("clock-choice", PLAY, "clock-leads-a-higher-card", "clock-leads-a-pair", "clock-leads-a-joker"),
        lies("clock-choice", PLAY, "clock-leads-by-the-natural-order", "clock-begins-with-a-pair"),
        lies("first-play", PLAY, "clock-begins-with-another-card"),
        proofs("test_rulebook_president", "test_line_83_the_lead_has_a_lowest_single"),
        proofs("test_control", "test_what_the_clock_does_is_lawful_under_any_rules", "test_the_lead_of_the_clock"),
        proofs("test_control", "test_the_lead_of_the_clock_in_a_revolution"),
        proofs("test_watch", "test_findings_are_those_of_a_plain_reading"),
        proofs(HERE, "test_the_clock_never_passes_on_the_lead", "test_every_card_may_be_led_and_no_pass"),
    ),
}

PLACES_AND_EXCHANGE = {
    19: fault(
        "Who should not go out on its only card is told that it has no move.",
        allows("a seat whose only card is a 2 may lead it, and drops", dropped=[0], turn=1),
        allows("a last 2 may answer a pile as well, and drops", dropped=[1]),
        allows("who would drop may pass instead and wait"),
        refuses("pass-on-lead", "the drop is no way around the lead: with only a 2 left a seat may not pass there"),
        allows("a trump as the last card drops, and stands"),
        lies("places", "round[].end", "drop-forgotten"),
        proofs("test_play", "test_fault_19_a_two_as_the_only_card"),
        proofs("test_second_engine", "test_going_out_on_a_two_drops"),
        proofs(HERE, "test_every_card_may_be_led_and_no_pass"),
    ),
    20: fault(
        "Whether a last 2 costs its player the place hangs on which way round the order is.",
        allows("four last 2s drop, led in a turned order that they turn back", dropped=[1], order="natural"),
        allows("four last 2s drop, led in the natural order, which makes them the lowest", dropped=[0], order="turned"),
        allows("four last 2s drop where two revolutions let them answer a third set of four", dropped=[2]),
        allows("a last 2 drops although a revolution has made it the lowest card", dropped=[1], order="turned"),
        allows("a last 3 does not drop, though it is the highest card after a revolution", dropped=[], finishing=[1]),
        allows("four last 3s turn the order over, end on top and drop nobody", dropped=[]),
        proofs(HERE, "test_a_last_2_drops_in_either_order", "test_places_are_by_holder_and_last_play"),
    ),
    21: fault(
        "Last is taken to be whoever went out last, not who is left with cards.",
        allows("the last holder is last, although the one before went out on a 2", finishing=[0, 1, 2]),
        allows("three last cards on one pile end a round of four, and the last holder is last", finishing=[2, 3, 0, 1]),
        allows("when all but one have dropped, the last holder is first", finishing=[2, 1, 0]),
        allows(
            "one drops, the next to go out is first, and the last holder has the place between", finishing=[1, 2, 0]
        ),
        allows("who drops with the play that ends the round is behind the last holder", finishing=[0, 2, 1]),
        lies("places", "round[].end", "places-swapped", "place-twice"),
        lies("round-unfinished", "round[].end", "round-cut-short"),
        proofs("test_play", "test_fault_21_the_last_holder_is_last"),
        proofs(HERE, "test_places_are_by_holder_and_last_play"),
    ),
    22: fault(
        "Cards that go back as they came are lost on the way.",
        right(
            "exchange",
            "first place returns exactly the two cards it was given, and both hands are what they were",
            after=["3c 4c 5c 6c Qs", "7c 9d Ac 2h 2s", "3d 3h 8c Kd", "Th Jd Jh"],
        ),
        right("exchange", "one card received and one of its own"),
        right("exchange", "a joker received may be given back"),
        wrong("exchange", "not-held", "a card received cannot go back twice"),
        proofs("test_exchange", "test_fault_22_the_president_returns_what_came", "test_nothing_vanishes"),
        proofs("test_exchange", "test_fault_22_with_the_same_face_twice"),
        proofs("test_scenes", "test_an_exchange_moves_cards_and_loses_none"),
    ),
    23: fault(
        "A gift that was never made is missed only when hands no longer add up.",
        wrong("exchange", "exchange-missing", "play does not begin before second place has given a card back"),
        wrong("exchange", "exchange-missing", "play does not begin without any gift"),
        wrong("exchange", "exchange-parties", "nothing is returned while the second tribute is to come"),
        wrong("exchange", "exchange-parties", "where they do, the tribute is not left out"),
        right("exchange", "when both returns are made, in whichever order, nothing is due", due=[], open=0),
        lies("exchange-missing", "round[].exchange[]", "return-missing", "exchange-missing"),
        lies("exchange-parties", "round[].exchange[]", "tribute-missing"),
        proofs("test_exchange", "test_fault_23_a_missing_return_stays_due"),
    ),
    24: fault(
        "A tribute has to be of certain suits, though its giver may choose among equals.",
        right("exchange", "the joker is a best card, and of two 2s either goes with it"),
        right("exchange", "the other 2 is right as well"),
        right("exchange", "of two aces the seat gives the one it likes beside its 2"),
        right("exchange", "the other ace is right as well"),
        right("exchange", "of two jokers the vice loser gives either"),
        right("exchange", "the other joker is right as well"),
        wrong("exchange", "tribute", "two 2s are not best where a joker is held"),
        wrong("exchange", "tribute", "two cards of one rank are not better than one of them and a higher card"),
        lies("tribute", "round[].exchange[]", "tribute-not-best", "joker-held-back"),
        proofs("test_exchange", "test_fault_24_any_suit_among_equals", "test_tributes_are_all_best_choices"),
    ),
}

SEEDS_AND_CONTRIBUTIONS = {
    25: fault(
        "What is published to bind the deals gives them away.",
        proofs("test_commit", "test_what_is_shown_before_the_round_deals_other_cards"),
        proofs("test_commit", "test_values_of_one_seed_share_nothing"),
        proofs("test_ticket", "test_a_ticket_holds_no_secret_and_leads_to_the_commitment"),
        proofs("test_cli_operator", "test_two_matches_never_share_a_secret_or_a_name"),
        proofs(HERE, "test_no_public_value_deals_the_cards"),
    ),
    26: fault(
        "What the operator reveals is taken on trust, whatever it promised.",
        wrong("seeds", "commitment", "a secret with one bit flipped", "the right secret for six rounds"),
        wrong("seeds", "commitment", "the right secret under other terms"),
        wrong("match", "commitment-other", "a published list with another commitment"),
        wrong("match", "ticket-commitment", "a ticket whose fingerprint is in no committed tree"),
        lies("commitment", "close.secret", "commitment-of-another-secret", "secret-of-another-match"),
        lies("commitment", "close.secret", "void-with-another-secret"),
        lies("seed", "round[].end", "seed-wrong", "round-redealt"),
        proofs("test_cli_player", "test_another_seed_refutes"),
        proofs("test_replay", "test_a_secret_that_does_not_open_the_commitment_is_never_used"),
        proofs(HERE, "test_everything_that_is_revealed_is_compared"),
    ),
    27: fault(
        "Cards that do not follow from the seed are believed, and nobody is told.",
        lies("blind", "round[].deal", "dealt-from-another-seed", "contributions-ignored", "blind-wrong"),
        lies("seed", "round[].end", "round-redealt", "round-of-another-match"),
        wrong("match", "blind", "a running log with another seed than the ticket's"),
        proofs("test_replay", "test_a_false_seed_in_the_log_never_wins_over_the_secret"),
        proofs("test_cli_player", "test_other_cards_refute"),
        proofs("test_verify", "test_one_card_exchanged_is_found"),
    ),
    28: fault(
        "One seed is used for two rounds, or one promise stands for both of them.",
        lies("seed", "round[].end", "seed-of-another-round", "round-repeated"),
        lies("round-number", "round[].deal", "round-number-wrong", "round-left-out"),
        proofs("test_commit", "test_seeds_and_fingerprints_of_a_match_all_differ"),
        proofs("test_evidence", "test_a_ticket_moved_to_another_round_is_found"),
        proofs("test_merkle", "test_a_path_fits_no_other_place"),
        proofs(HERE, "test_one_secret_in_two_matches_shares_nothing"),
    ),
    29: fault(
        "A seed can be read before its round is over.",
        proofs("test_cli_operator", "test_a_seed_is_shown_only_when_its_round_is_over"),
        proofs("test_cli_operator", "test_a_secret_that_others_may_read_is_refused"),
        proofs("test_issue", "test_at_each_record_of_a_match_only_what_is_due_is_handed_out"),
        proofs("test_issue", "test_a_void_match_reveals_the_seeds_of_ended_rounds_and_gives_no_next_ticket"),
        proofs("test_replay", "test_no_text_of_a_replay_shows_a_seed_that_is_not_revealed"),
        proofs("test_cli_auditor", "test_no_private_value_of_a_running_match_is_printed"),
        proofs("test_secretfile", "test_no_text_shows_the_secret_or_a_seed"),
        proofs("test_secretfile", "test_only_the_owner_can_read_it_from_the_first_moment"),
        proofs("test_commit", "test_a_seed_tree_never_shows_a_seed"),
        proofs("test_simulate", "test_evidence_holds_nothing_private"),
        proofs(HERE, "test_nothing_unrevealed_is_told_at_any_record"),
    ),
    30: fault(
        "What has lost its end looks whole.",
        lies("unfinished", "close", "log-cut-in-a-round", "log-without-close"),
        lies("close-early", "close", "close-too-early", "close-before-the-first-round"),
        lies("signature-missing", "final.signature[operator]", "final-signature-missing"),
        wrong("codec", "malformed", "the log is cut inside its second record", "a head without its card"),
        wrong("match", "receipt-beyond", "a receipt beyond the end"),
        wrong("match", "published-absent", "a published list without this match"),
        wrong("seeds", "commitment", "the right secret for six rounds"),
        wrong("shuffle", "stream-exhausted", "the stream ends early"),
        proofs("test_attacks_changes", "test_cut_log_is_never_verified_nor_refuted"),
        proofs("test_merkle", "test_the_last_leaf_is_never_repeated"),
        proofs("test_commit", "test_the_commitment_binds_the_number_of_rounds"),
        proofs(HERE, "test_an_open_match_that_lost_its_end_is_shown_by_a_receipt"),
    ),
    31: fault(
        "Who repeats what another seat sealed cancels that seat's share.",
        wrong("contributions", "contribution-opening", "another seat's seal copied"),
        lies("contribution-repeated", "sealed[]", "seal-copied"),
        lies("contribution-repeated", "opened[]", "contributions-equal", "contribution-opened-twice"),
        proofs("test_commit", "test_a_copied_seal_never_opens", "test_contributions_that_cancel_do_not"),
    ),
    32: fault(
        "A share is picked with the others' in view, or dropped, and the cards are dealt all the same.",
        lies("contribution-early", "opened[]", "contribution-opened-early"),
        lies("contribution-missing", "opened[]", "contribution-not-opened", "contribution-left-out"),
        lies("contribution-missing", "opened[]", "contribution-not-sealed"),
        lies("contribution-opening", "opened[]", "opening-of-another-value", "seal-of-another-match"),
        lies("order", "opening", "lock-signed-after-opening", "lock-signed-before-last-seal"),
        lies("close-reason", "close", "void-not-opened-though-it-did", "void-without-seat"),
        proofs("test_attacks", "test_resealing_is_refuted_by_the_lock_receipt"),
        proofs("test_attacks", "test_resealing_cannot_use_the_signature_of_the_first_lock"),
        proofs("test_anchor", "test_numbers_that_do_not_rise_by_one"),
        proofs("archive/test_command", "test_void_matches_are_counted_at_the_end"),
        proofs(HERE, "test_no_share_is_dropped", "test_nothing_is_sealed_after_an_opening"),
    ),
    33: fault(
        "Values are joined so that it does not matter where one ends and the next begins.",
        proofs("test_hashing", "test_enc_of_joined_strings_differs", "test_bytes_moved_between_fields_change_enc"),
        proofs("test_commit", "test_the_transcript_binds_every_contribution"),
        proofs(HERE, "test_text_moved_between_two_names_deals_other_cards"),
    ),
    34: fault(
        "Something shorter, longer or of another spelling is taken for a seed.",
        wrong("codec", "malformed", "a commitment of 31 bytes", "a text where bytes belong"),
        wrong("ticket", "malformed", "a contribution of 31 bytes", "the last character missing", "padding added"),
        proofs("test_anchor", "test_what_is_no_seed"),
        proofs("test_cli_player", "test_a_seed_is_64_digits"),
        proofs("test_secretfile", "test_anything_else_is_no_secret_file"),
        proofs("test_wire", "test_byte_strings_are_of_their_exact_length"),
        proofs("test_vectors", "test_no_field_can_change_unnoticed"),
        proofs(HERE, "test_no_door_takes_a_wrong_seed", "test_no_log_holds_a_wrong_seed", "test_no_ticket_holds_one"),
    ),
}

VERDICTS_AND_SIGNATURES = {
    35: fault(
        "Green is shown beside a fault, for nothing at all, or over a check that was left out.",
        wrong("codec", "malformed", "no byte at all"),
        lies("void", "close", "void-stopped"),
        lies("close-early", "close", "close-before-the-first-round"),
        proofs("test_report", "test_one_finding_never_leaves_a_log_verified", "test_no_check_is_no_pass"),
        proofs("test_report", "test_the_worst_of_several_verdicts", "test_a_report_is_no_truth_value"),
        proofs("test_attacks", "test_terms_alone_are_not_verified", "test_match_of_no_rounds_is_not_verified"),
        proofs("test_mutators", "test_evidence_hides_no_lie"),
        proofs("test_cli_player", "test_without_cards_the_hand_is_stated_and_never_verified"),
        proofs("test_vectors", "test_files_that_are_no_vectors_fail", "test_a_folder_without_vectors_is_refused"),
        proofs(HERE, "test_verified_leaves_nothing_open", "test_nothing_given_is_nothing_verified"),
    ),
    36: fault(
        "A signature names no match and fits another one.",
        lies("signature-bad", "lock.signature[operator]", "lock-signature-of-another-match"),
        lies("signature-bad", "lock.signature[seat ]", "lock-signature-of-another-signer"),
        lies("seed", "round[].end", "round-of-another-match"),
        wrong("match", "receipt-terms", "a receipt of another match"),
        wrong("match", "ticket-terms", "a ticket of another match"),
        wrong("match", "receipt-signature", "a receipt with a signature of nobody"),
        proofs("test_sign", "test_a_signature_moves_nowhere", "test_the_message_binds_all_it_names"),
        proofs("test_evidence", "test_a_receipt_signed_for_another_offset_match_or_signer_has_no_weight"),
        proofs(HERE, "test_no_signature_moves_to_another_match"),
    ),
    37: fault(
        "More is said of the plays than anything kept outside the log shows.",
        lies("digest", "close", "digest-wrong"),
        wrong("match", "receipt-digest", "a receipt with another digest"),
        proofs("test_attacks_changes", "test_another_legal_history_is_stated_as_the_operators_word"),
        proofs("test_attacks_changes", "test_only_legal_histories_of_two_packs_are_verified"),
        proofs("test_guarantees", "test_recorded_needs_a_receipt_or_a_pinned_signature"),
        proofs("test_guarantees", "test_a_receipt_records_up_to_its_byte"),
        proofs(HERE, "test_plays_that_change_places_are_claimed_by_nothing_but_a_receipt"),
    ),
}

FAULTS: dict[int, Fault] = {
    **CARDS_AND_LEGALITY,
    **TURNS_AND_LEADS,
    **PLACES_AND_EXCHANGE,
    **SEEDS_AND_CONTRIBUTIONS,
    **VERDICTS_AND_SIGNATURES,
}
EXAMPLES = [(number, one) for number, kind in FAULTS.items() for one in kind.shown]

SCENES = {scene.says: scene for scene in scenes()}
STAGES: dict[str, tuple[Mapping[str, Any], Recompute]] = {
    "exchange": (exchange_stage.INPUTS, exchange_stage.recompute),
    "table": (table_stage.INPUTS, table_stage.recompute),
    "score": (score_stage.INPUTS, score_stage.recompute),
}
LIES = {mutator.name: mutator for mutator in MUTATORS}


@cache
def cases_of(stage: str) -> dict[str, Case]:
    """Return the cases of a stage of the rules by what they show."""
    return {case.says: case for case in cases(stage, STAGES[stage][0])}


@cache
def vectors_of(stage: str) -> dict[str, envelope.Test]:
    """Return the tests of a shipped vector file by comment."""
    with shipped() as folder:
        return {
            test["comment"]: test
            for test in envelope.tests_of(json.loads((folder / f"{stage}.json").read_text("ascii")))
        }


@cache
def names_of_tests(module: str) -> frozenset[str]:
    """Return the names of all tests in a module beside this one."""
    tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text("utf-8"))
    return frozenset(one.name for one in tree.body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_"))


def outcome_of_play(scene: Scene) -> Mapping[str, Any]:
    """Return what comes of a scene of play: its fault, or what can be seen afterwards."""
    before = scene.before()
    code = before.fault(scene.action)
    return after(before, scene.action)[1] if code is None else {"code": code}


def outcome_of_case(stage: str, case: Case) -> Mapping[str, Any]:
    """Return what comes of a case of a stage of the rules."""
    return STAGES[stage][1]({**case.given, "rules": rules_named(case.rules)})


def outcome_of_lie(name: str) -> Mapping[str, Any]:
    """Return code and place of a mutator, after an audit has found just that; numbers are left out of the place."""
    _, made = falsified(LIES[name])
    assert (made.code, made.place) in {(one.code, one.place) for one in audit(made.data).findings}
    return {"code": made.code, "place": re.sub("[0-9]+", "", made.place)}


def outcome_of(one: Example) -> Mapping[str, Any]:
    """Return what comes of an example; raises `KeyError` where there is no such example."""
    if one.kind == "test":
        module, _, name = one.name.partition("::")
        return {} if name in names_of_tests(module) else {"code": "missing"}
    if one.kind == "play":
        return outcome_of_play(SCENES[one.name])
    if one.kind == "lie":
        return outcome_of_lie(one.name)
    if one.kind in STAGES:
        return outcome_of_case(one.kind, cases_of(one.kind)[one.name])
    test = vectors_of(one.kind)[one.name]
    return {} if test["result"] == envelope.VALID else {"code": test["code"]}


def test_the_numbers_are_all_there() -> None:
    """37 kinds of fault, each in words of its own and with examples that stand once."""
    assert list(FAULTS) == list(range(1, 38))
    assert len({kind.says for kind in FAULTS.values()}) == 37
    for number, kind in FAULTS.items():
        assert kind.shown, number
        names = [(one.kind, one.name) for one in kind.shown]
        assert len(names) == len(set(names)), number


@pytest.mark.parametrize(("number", "one"), EXAMPLES, ids=lambda part: getattr(part, "name", part))
def test_an_example_is_there_and_comes_out_so(number: int, one: Example) -> None:
    """Each scene, case, lie and vector exists and has the code, the place or the outcome stated; each test exists."""
    found = outcome_of(one)
    assert found.get("code") == one.code, FAULTS[number].says
    assert {key: found.get(key) for key in one.then} == one.then


def test_a_fault_of_the_rules_has_an_example_that_is_refused_and_one_that_is_right() -> None:
    """Of cards, turns, places and gifts both sides are shown: what was wrong elsewhere, and what is right."""
    for number in range(1, 25):
        codes = {one.code for one in FAULTS[number].shown if one.kind != "test"}
        assert None in codes or number in (2, 3, 14, 18), number
        assert codes - {None} or number == 20, number


# --- rules of any kind, seats in any order


class Walked(NamedTuple):
    """One round played at random: the seats clockwise, and each action with the states before and after it."""

    seating: tuple[int, ...]
    steps: tuple[tuple[Round, Action, Round], ...]


@cache
def walks() -> tuple[Walked, ...]:
    """Return rounds under random rules, from three to eight seats, of few cards and often of many of a kind."""
    return tuple(walk(number) for number in range(216))


# What some of the rounds are played with, since few of all rules have it.
WANTED: list[Callable[[Rules], bool]] = [
    lambda rules: rules.twos is not Twos.ORDINARY or rules.joker is Joker.WILD,
    lambda rules: rules.revolution is not Revolution.NONE and rules.going_out is GoingOut.DROPS,
    lambda rules: rules.equal_rank is not EqualRank.FORBID,
    lambda rules: rules.revolution is not Revolution.NONE or rules.lone_joker is LoneJoker.TRUMP,
]


def walk(number: int) -> Walked:
    """Return one round from its first action to its last."""
    draws = Draws(tagged_hash("walk", number))
    seats = 3 + number % 6
    wanted = WANTED[number // 6 % 4]
    rules = random_rules(draws, seats)
    while not wanted(rules):
        rules = random_rules(draws, seats)
    hands = [count_hand(cards) for cards in some_hands(draws, rules, seats)]
    order = list(range(seats))
    seating = tuple(order.pop(draws.below(len(order))) for _ in range(seats))
    state = Round(Law(rules), seating, hands, draws.below(seats))
    choose = largest if number // 24 % 3 else random_legal
    steps = []
    while not state.over:
        action = choose(state, draws)
        later = state.copy()
        later.apply(action)
        steps.append((state, action, later))
        state = later
    return Walked(seating, tuple(steps))


def some_hands(draws: Draws, rules: Rules, seats: int) -> list[bytes]:
    """Return a hand for each seat: often all suits of a rank, and a few cards of any."""
    deck = list(fresh_cards(rules.packs, rules.jokers_per_pack))
    hands = []
    for _ in range(seats):
        hand: list[int] = []
        rank = draws.choose([TWO, draws.below(TWO), draws.below(TWO)])
        whole = range(4 * rank, 4 * rank + 4)
        if draws.below(3) and all(face in deck for face in whole):
            hand += whole
        hand += [draws.choose(deck) for _ in range(draws.below(4) if hand else 3)]
        hand += hand[: draws.below(3)]  # with two packs perhaps the other copy
        kept = []
        for face in hand:
            if face in deck:
                deck.remove(face)
                kept.append(face)
        hands.append(bytes(kept))
    return hands


def all_steps() -> Iterator[tuple[Round, Action, Round]]:
    """Yield every step of every round."""
    for one in walks():
        yield from one.steps


def clockwise(seating: Sequence[int], seat: int) -> list[int]:
    """Return the seats in the order in which they come after `seat`, itself last."""
    at = seating.index(seat) + 1
    return [*seating[at:], *seating[:at]]


def test_only_cards_in_the_hand_are_laid() -> None:
    """Faults 1, 2 and 3: with any one card changed for one that is not held, or not that often, a play is refused."""
    tried = 0
    for before, action, _ in all_steps():
        held = Counter(hand_cards(before.hands[action.seat]))
        for at, face in product(range(len(action.cards)), range(FACES)):
            cards = action.cards[:at] + bytes([face]) + action.cards[at + 1 :]
            if Counter(cards) - held:
                assert before.fault(play_action(action.kind, action.seat, cards)) is Code.NOT_HELD
                tried += 1
    assert tried > 10_000


def test_a_play_takes_its_cards_and_no_others() -> None:
    """Faults 2 and 4: one copy of each card leaves the hand of its seat, and no other hand changes."""
    copies = 0
    for before, action, later in all_steps():
        for seat, hand in enumerate(before.hands):
            gone = Counter(action.cards) if seat == action.seat else Counter()
            left = Counter(hand_cards(hand))
            left.subtract(gone)
            assert Counter(hand_cards(later.hands[seat])) == +left
            assert min(left.values(), default=0) >= 0
            assert later.sizes[seat] == left.total()
            copies += any(later.hands[seat][face] for face in gone)
    assert copies > 20


def with_every_card(state: Round) -> Round:
    """Return the same round with one of every card there is in the hand on turn."""
    other = state.copy()
    other.hands[other.turn] = bytearray([1]) * FACES
    other.sizes[other.turn] = FACES
    return other


def test_nothing_answers_a_trump() -> None:
    """Fault 6: on a lone joker that is a trump one can only pass, whatever one holds and else the rules allow."""
    on_trumps = 0
    for before, _, _ in all_steps():
        if before.law.joker_trumps and (before.rank, before.count) == (JOKER_RANK, 1):
            assert legal_actions(with_every_card(before)) == [pass_action(before.turn)]
            on_trumps += 1
    assert on_trumps > 20


def test_jokers_stand_in_only_where_they_are_wild() -> None:
    """Fault 7: elsewhere a joker beside other cards makes no set and no straight, on whatever pile."""
    mixed = Counter[bool]()
    for before, _, _ in all_steps():
        state, seat = with_every_card(before), before.turn
        for rank, jokers in product(range(0, FIRST_JOKER, 4), (1, 2)):
            cards = bytes([rank, *range(FIRST_JOKER, FIRST_JOKER + jokers)])
            found = {state.fault(set_action(seat, cards)), state.fault(straight_action(seat, cards))}
            lawful = None in found
            assert before.law.wild or found <= {Code.NOT_A_SET, Code.STRAIGHT, Code.NOT_A_STRAIGHT}
            mixed[before.law.wild] += lawful
    assert mixed[True] > 1_000
    assert not mixed[False]


@pytest.mark.parametrize("joker", ["wild", "high"])
@pytest.mark.parametrize("size", [3, 4])
def test_a_straight_has_the_rank_that_its_natural_cards_leave(size: int, joker: str) -> None:
    """Faults 9 and 10: of all rows of three or four cards, those are straights that fit one place between 3 and ace."""
    law = Law(load_preset("president", {"straights": True, "joker": joker, "jokers_per_pack": 2}).resolve(4))
    straights = 0
    for row in product([*range(0, FIRST_JOKER, 4), FIRST_JOKER], repeat=size):
        natural = [(place, face // 4) for place, face in enumerate(row) if face < FIRST_JOKER]
        fits = [low for low in range(TWO - size + 1) if all(rank == low + place for place, rank in natural)]
        if not natural or (joker == "high" and len(natural) < size):
            fits = []
        assert law.straight_rank(bytes(row)) == (STRAIGHT_RANK + fits[0] + size - 1 if fits else NO_RANK), row
        assert len(fits) <= 1
        straights += len(fits)
    assert straights == (13 - size) * (1 if joker == "high" else 2**size - 1)


def test_turn_and_lead_go_clockwise() -> None:
    """Faults 11, 12 and 17: the next seat that holds cards, is not locked and not skipped; a lead goes to the winner.

    Where the winner is out it goes to the next holder after it, one that passed or was skipped as well as any other.
    """
    seen: Counter[str] = Counter()
    for one in walks():
        passed: set[int] = set()
        last = NOBODY
        for before, action, later in one.steps:
            if action.kind == PASS:
                passed.add(action.seat)
            else:
                last = action.seat
            if later.over:
                assert later.turn == NOBODY
                break
            able = [seat for seat in clockwise(one.seating, action.seat) if later.sizes[seat]]
            if later.trick > before.trick:
                holders = [last, *clockwise(one.seating, last)]
                expected = next(seat for seat in holders if later.sizes[seat])
                seen["led for one who is out"] += expected != last
                seen["led after a pass"] += expected in passed
                passed.clear()
            else:
                able = [seat for seat in able if not (before.law.locks and seat in passed)]
                skipped = action.kind != PASS and later.skipped != NOBODY
                assert not skipped or later.skipped == able[0]
                expected = able[skipped]
                seen["asked again"] += expected in passed
                seen["skipped"] += skipped
            assert later.turn == expected
    assert min(seen[what] for what in ("led for one who is out", "led after a pass", "asked again", "skipped")) > 20


def test_who_is_out_or_locked_is_not_asked() -> None:
    """Faults 12 and 13: neither a pass nor a card of such a seat is taken until trick or round ends."""
    refusals = 0
    for one in walks():
        passed: set[int] = set()
        for before, action, later in one.steps:
            out = {seat for seat, size in enumerate(before.sizes) if not size}
            for seat in out | (passed if before.law.locks else set()):
                tries = [pass_action(seat), *(set_action(seat, bytes([face])) for face in range(FACES))]
                assert {before.fault(action) for action in tries} == {Code.TURN}
                refusals += 1
            passed = set() if later.trick > before.trick else passed | ({action.seat} if action.kind == PASS else set())
    assert refusals > 200


def test_a_missing_pass_is_found_there_under_any_rules() -> None:
    """Fault 14: without a pass the action after it is out of turn, unless it is an action of the same seat.

    That is so where a seat leads right after its own pass, since the winner is out and all others are locked or
    skipped. Then its lead may be lawful as an answer, and what is left is another history and no fault yet.
    """
    found = 0
    for one in walks():
        for (before, action, _), (_, following, _) in pairwise(one.steps):
            if action.kind == PASS:
                if following.seat != action.seat:
                    assert before.fault(following) is Code.TURN
                    found += 1
                else:
                    assert before.law.locks or before.law.matches
                    assert not before.sizes[before.last]
    assert found > 500


def test_a_missing_pass_may_leave_another_lawful_play() -> None:
    """Fault 14: where a seat passes on a last card and leads higher, its lead without the pass is an answer.

    The next action is then the one out of turn: nobody else may answer, so that the same seat would lead once more.
    """
    law = Law(load_preset("president", {"pass": "locks"}).resolve(3))
    hands = [count_hand(parse_cards(hand)) for hand in ("9c", "5c Tc 3d", "Jc 4c")]
    lead, locked, last = set_action(1, parse_cards("5c")), pass_action(2), set_action(0, parse_cards("9c"))
    rest = [pass_action(1), set_action(1, parse_cards("Tc")), set_action(2, parse_cards("Jc"))]
    state = Round(law, range(3), hands, 1)
    assert [state.step(action) for action in (lead, locked, last)] == [None] * 3
    without = state.copy()
    assert [state.step(action) for action in rest] == [None] * 3
    assert [without.step(action) for action in rest[1:]] == [None, Code.TURN]
    assert (without.turn, without.trick) == (1, 2)


def test_a_last_card_does_what_any_card_does() -> None:
    """Fault 15: what a seat lays down last skips, turns the order over and closes tricks as if it had a card left.

    Only a lone joker that sweeps does not sweep as the last card; and where one holder is left the round is over.
    """
    seen: Counter[str] = Counter()
    for before, action, later in all_steps():
        sweeps = before.law.joker_sweeps and set(action.cards) <= {52, 53} and len(action.cards) == 1
        if action.kind == PASS or later.sizes[action.seat] or later.over or sweeps:
            continue
        twin = before.copy()
        twin.hands[action.seat][0] += 1
        twin.sizes[action.seat] += 1
        assert twin.fault(action) is None
        twin.apply(action)
        assert (twin.skipped, twin.order, twin.trick) == (later.skipped, later.order, later.trick)
        assert twin.trick == before.trick or twin.closing == later.closing
        assert later.turn == twin.turn or later.trick > before.trick or twin.turn == action.seat
        seen["skips"] += later.skipped != NOBODY and before.law.matches
        seen["turns over"] += later.order is not before.order
        seen["closes"] += later.trick > before.trick
    assert min(seen[what] for what in ("skips", "turns over", "closes")) >= 10, seen


def test_every_card_may_be_led_and_no_pass() -> None:
    """Faults 18 and 19: on the lead each card in the hand is lawful by itself, whatever going out on it costs."""
    leads = 0
    for before, _, _ in all_steps():
        if not before.count:
            legal = legal_actions(before)
            singles = {set_action(before.turn, bytes([face])) for face in hand_cards(before.hands[before.turn])}
            assert singles
            assert singles <= set(legal)
            assert all(action.kind != PASS for action in legal)
            leads += 1
    assert leads > 200


def test_places_are_by_holder_and_last_play() -> None:
    """Faults 20 and 21: clean seats as they went out, the last holder, then those that dropped, the first one last.

    A seat drops by a 2 or a joker in its last play.
    """
    dropped_seats = 0
    for one in walks():
        clean: list[int] = []
        dropped: list[int] = []
        for before, action, later in one.steps:
            if action.kind != PASS and not later.sizes[action.seat]:
                bad = before.law.drops and max(action.cards) >= 4 * TWO
                (dropped if bad else clean).append(action.seat)
        end = one.steps[-1][2]
        (holder,) = [seat for seat, size in enumerate(end.sizes) if size]
        assert end.finishing == [*clean, holder, *reversed(dropped)]
        dropped_seats += len(dropped)
    assert dropped_seats > 5


@pytest.mark.parametrize("order", [NATURAL, TURNED], ids=["natural", "turned"])
@pytest.mark.parametrize("revolution", ["round", "trick"])
def test_a_last_2_drops_in_either_order(revolution: str, order: Order) -> None:
    """Fault 20: one to four 2s or jokers as the last play cost the place, and no other rank does, be it on top."""
    changes = {"revolution": revolution, "going_out": "drops", "joker": "high", "jokers_per_pack": 2}
    law = Law(load_preset("president", {**changes, "second_pack_from": 5}).resolve(5))
    for rank, count in product(range(JOKER_RANK + 1), range(1, 5)):
        faces = [4 * rank, 4 * rank + 1] * 2 if rank == JOKER_RANK else range(4 * rank, 4 * rank + 4)
        cards = bytes(sorted(faces[:count]))
        others = [count_hand(parse_cards("4c 5c 9d")) for _ in range(4)]
        state = Round(law, range(5), [count_hand(cards), *others], 0)
        state.order = order
        assert state.step(set_action(0, cards)) is None
        assert (state.dropped, state.finishing) == (([0], []) if rank >= TWO else ([], [0]))
        turns = count == 4 and rank < JOKER_RANK
        assert (state.order is order) is not turns


@given(st.integers(3, 8).flatmap(lambda seats: st.permutations(range(seats))), st.booleans(), st.data())
@some
def test_an_exchange_that_is_off_changes_nothing_else(order: list[int], reseat: bool, data: st.DataObject) -> None:
    """Fault 16: seating, first card and leader of a later round are the same without an exchange as with one."""
    first = data.draw(st.sampled_from(FirstCard))
    leads = data.draw(st.sampled_from(LaterLeader))
    settings = {"first_card": str(first), "later_leader": str(leads), "reseat": reseat}
    hands = [bytearray(FACES) for _ in order]
    hands[data.draw(st.sampled_from(order))][0] = 1
    found = []
    for off in ({}, {"exchange_top": 0, "exchange_vice": 0}):
        seats = len(order)
        rules = load_preset("president", {**settings, **off}).resolve(seats)
        one = Match(rules, seats, 5)
        places = one.places(order)
        one.end_round(places, one.points(places))
        assert bool(one.swaps()) is not bool(off)
        dealing = one.dealing_order()
        found.append((one.seating(), dealing, one.leader(hands, dealing)))
    assert found[0] == found[1]


# --- the clock


def held_by_all_before(done: Simulated) -> Evidence:
    """Return the tickets and the commitment of a match, which say nothing of the order within its opening."""
    return Evidence(tickets=tuple(done.tickets), commitments=(done.tree.commitment(),))


def test_the_clock_never_passes_on_the_lead() -> None:
    """Fault 18: on each lead the clock's pass is refuted like anybody's, with marks and without, at its place.

    Its lowest single is verified where one was led, and any other lead is another fault of the clock.
    """
    done = played()
    records, held = apart(done.records), held_by_all_before(done)
    leads: dict[int, tuple[str, bool]] = {}
    plays = [at for at, one in enumerate(records) if isinstance(one, Actions)]
    to_come = iter(plays)

    def observe(place: str, state: Round, action: Action) -> None:
        at, lowest = next(to_come), min(hand_cards(state.hands[action.seat])) >> 2
        if not state.count:
            due = len(action.cards) == 1 and action.cards[0] >> 2 == lowest
            leads[at] = (f"{place}.trick[{state.trick}].play[{state.play}]", due)

    assert audit(rebuilt(records), held, observer=observe).verdict is Verdict.VERIFIED
    assert {due for _, due in leads.values()} == {True, False}
    begun = [at for at in plays if at < where(done, Deal, 1)]
    with_marks = [acted(one, Timing(0, None)) if at in begun else one for at, one in enumerate(records)]
    assert audit(rebuilt(with_marks), held).verdict is Verdict.VERIFIED
    for at, (place, due) in leads.items():
        lead = records[at]
        assert isinstance(lead, Actions)
        seat = lead.actions[0].seat
        for log, tenths in ((records, None), (with_marks, 300)):
            timing = Timing(tenths if at in begun else None, seat)
            passes = [*log[:at], timed(timing, Actions((pass_action(seat),))), *log[at + 1 :]]
            assert found_in(passes, held)[0] == (Code.PASS_ON_LEAD, place)
            plays_on = [*log[:at], timed(timing, lead), *log[at + 1 :]]
            assert found_in(plays_on, held)[:1] == ([] if due else [(Code.CLOCK_CHOICE, place)])


def acted(record: Record, timing: Timing) -> Record:
    """Return an action with what the clock says of it."""
    assert isinstance(record, Actions)
    return timed(timing, record)


def found_in(records: Sequence[Record], held: Evidence) -> list[tuple[Code, str]]:
    """Return code and place of every finding in a log whose digest is right."""
    return [(one.code, one.place) for one in audit(rebuilt(records), held).findings]


# --- seeds and contributions


def test_no_public_value_deals_the_cards() -> None:
    """Fault 25: no 32 bytes that anybody sees before a round, put in place of seed or secret, lead to its deal.

    That is every stretch of the log up to and with the deal, what tickets hold, and what is computed from both.
    """
    done = all_signed(4, 2)
    log = Log(bytes(done.data))
    ends = [item.end for item in log.items if isinstance(item.record, Deal)]
    mixed = transcript(done.tree.terms, done.tree.commitment(), done.contributions)
    cards = fresh_cards(done.terms.rules.packs, done.terms.rules.jokers_per_pack)
    for number, end in enumerate(ends, 1):
        held = [one for one in done.tickets if one.round <= number]
        public = {bytes(done.data[at : at + 32]) for at in range(end - 31)}
        public |= {done.tree.terms, mixed, file_digest(bytes(done.data[:end]))}
        public |= {value for one in held for value in (one.fingerprint, *one.path, *one.contributions)}
        seed = done.tree.seeds[number - 1]
        dealt_order = deck_order(seed, mixed, number, cards)
        assert seed not in public
        assert done.secret not in public
        for value in public:
            assert deck_order(value, mixed, number, cards) != dealt_order
            assert round_seed(value, done.tree.terms, number) != seed


REVEALED: dict[type[Record], tuple[str, Code]] = {
    Commitment: ("commitment", Code.COMMITMENT),
    Close: ("secret", Code.COMMITMENT),
    RoundEnd: ("seed", Code.SEED),
    Deal: ("blind", Code.BLIND),
    Sealed: ("seal", Code.CONTRIBUTION_OPENING),
    Opened: ("contribution", Code.CONTRIBUTION_OPENING),
}


@pytest.mark.parametrize("kind", REVEALED, ids=lambda kind: kind.__name__)
@given(st.data())
@some
def test_everything_that_is_revealed_is_compared(kind: type[Record], data: st.DataObject) -> None:
    """Fault 26: one bit off in anything the operator or a seat reveals, all signatures made good, refutes the log."""
    done = all_signed(4, 2)
    name, code = REVEALED[kind]
    records = apart(done.records)
    at = data.draw(st.sampled_from([index for index, one in enumerate(records) if isinstance(one, kind)]))
    value = bytearray(getattr(records[at], name))
    value[data.draw(st.integers(0, len(value) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    changed: Any = records[at]
    records[at] = replace(changed, **{name: bytes(value)})
    report = audit(rebuilt(records, done.keys))
    assert report.verdict is Verdict.REFUTED
    assert code in report.codes()


@given(hashes, hashes, hashes, st.integers(1, 20))
@some
def test_one_secret_in_two_matches_shares_nothing(secret: bytes, one: bytes, other: bytes, rounds: int) -> None:
    """Fault 28: even where an operator uses a secret again, seeds, fingerprints and commitments are others."""
    if one != other:
        trees = [seed_tree(secret, terms, rounds) for terms in (one, other)]
        values = [value for tree in trees for value in (*tree.seeds, *tree.fingerprints, tree.commitment())]
        assert len(set(values)) == len(values) == 2 * (2 * rounds + 1)


@pytest.mark.parametrize("name", ["three seats", "sealed, all keys"])
def test_nothing_unrevealed_is_told_at_any_record(name: str, tmp_path: Path) -> None:
    """Fault 29: neither the log of a running match nor what is printed or raised of it has a seed before its time."""
    done = SAMPLES[name]()
    records = apart(done.records)
    secret = MatchSecret(done.tree.terms, done.terms.rounds, done.secret)
    held, path = tmp_path / "secret.json", tmp_path / "running.fdl"
    document = {"format": FORMAT, "terms_hash": secret.terms_hash.hex(), "rounds": secret.rounds}
    held.write_text(json.dumps({**document, "secret": secret.secret.hex()}), "ascii")
    held.chmod(0o600)
    end = where(done, RoundEnd)
    for size in (2, where(done, Deal) + 1, end - 3, end + 1, where(done, Deal, 1) + 1, where(done, Close)):
        data = encode_log(records[:size])
        path.write_bytes(data)
        ended = sum(isinstance(one, RoundEnd) for one in records[:size])
        hidden = [done.secret, *done.tree.seeds[ended:], *done.keys.values()]
        assert not [value for value in hidden if value in data]
        commands: list[tuple[object, ...]] = [("-v", "audit", path), ("audit", path, "-f", "json"), ("show", path)]
        commands += [("unpack", path)]
        outputs = [run(*one) for one in commands]
        if ended < done.terms.rounds:
            early = ("reveal", "--secret", held, "--log", path, "--round", ended + 1)
            refused(run(*early), 2, "has not ended")
            outputs.append(run(*early))
        running = replay(Log(data), secret=done.secret)
        told = "".join(one.text + one.err for one in outputs)
        told += f"{secret!r} {done.tree!r} {running.rounds!r} {running.opening!r} {running.match!r} {running.judge!r}"
        assert not [value for value in hidden if value.hex() in told.lower() or repr(value)[2:-1] in told]


def test_an_open_match_that_lost_its_end_is_shown_by_a_receipt() -> None:
    """Fault 30: where a match may end after any round, one closed too soon is lawful; only a receipt shows the loss.

    Without it the report leaves `recorded` unproven and does not say how many rounds there were.
    """
    done = simulate(Simulation(load_preset("wild-twos"), 3, bytes(32), rounds=4))
    draft = draft_of(done, "lost its end")
    del draft.records[draft.indexes(Deal)[2] :]
    close(draft)
    short = settle(draft)
    report = audit(short, committed(done))
    assert report.verdict is Verdict.VERIFIED
    assert not proven(report, GuaranteeName.RECORDED)
    kept = len(encode_log(draft.records[:-1]))
    later = [item.end for item in Log(bytes(done.data)).items if item.end > kept]
    assert len(later) > 4
    for end in later:
        shown = audit(short, replace(committed(done), receipts=(done.receipt(end),)))
        assert shown.verdict is not Verdict.VERIFIED
        assert shown.codes() & {Code.RECEIPT_BEYOND, Code.RECEIPT_DIGEST}


def test_no_share_is_dropped() -> None:
    """Fault 32: whichever seats are left out of the opening, or of the sealing too, the log is refuted."""
    done = played(4, 1, sealed=True)
    for count in range(1, 5):
        for seats in combinations(range(4), count):
            for sealed in (False, True):
                draft = draft_of(done, "dropped")
                seals = [one for one in draft.records if isinstance(one, Sealed)]
                draft.contributions = tuple(b"" if s in seats else value for s, value in enumerate(draft.contributions))
                write_opening(draft)
                if sealed:
                    opened = [one for one in draft.records if isinstance(one, Opened)]
                    draft.records[2:] = [*seals, *opened]
                play_on(draft)
                report = audit(settle(draft))
                assert report.verdict is Verdict.REFUTED
                missing = {one.place for one in report.findings if one.code is Code.CONTRIBUTION_MISSING}
                assert missing == {f"opened[{seat}]" for seat in seats}


@given(st.permutations(range(6)))
@many
def test_nothing_is_sealed_after_an_opening(order: list[int]) -> None:
    """Fault 32: of all orders of three seals and three openings those are taken in which every seal comes first."""
    done = played(3, 1, sealed=True)
    records = list(done.records)
    values = [one for one in records if isinstance(one, Sealed | Opened)]
    shuffled = [values[at] for at in order]
    start = where(done, Sealed)
    report = audit(rebuilt([*records[:start], *shuffled, *records[start + 6 :]]), held_by_all_before(done))
    in_order = all(isinstance(one, Sealed) for one in shuffled[:3])
    assert (report.verdict is Verdict.VERIFIED) is in_order
    assert in_order or report.codes() & {Code.CONTRIBUTION_EARLY, Code.ORDER}


@given(st.text("ab12", min_size=3, max_size=12), st.data())
@some
def test_text_moved_between_two_names_deals_other_cards(text: str, data: st.DataObject) -> None:
    """Fault 33: with the same letters in two neighbouring names, or two contributions, each cut gives another deal."""
    done = played()
    cuts = st.integers(1, len(text) - 1)
    one, other = data.draw(cuts), data.draw(cuts)
    orders = set()
    for cut in (one, other):
        names = (text[:cut], text[cut:])
        seats = [replace(seat, name=name) for seat, name in zip(done.terms.seats, names, strict=False)]
        terms = replace(done.terms, seats=(*seats, *done.terms.seats[2:]))
        agreed = terms_hash(encode_record(terms))
        seed = round_seed(done.secret, agreed, 1)
        commitment = seed_tree(done.secret, agreed, 1).commitment()
        orders.add(bytes(deck_order(seed, transcript(agreed, commitment, [b""] * 4), 1, fresh_cards(1, 0))))
        mixed = transcript(done.tree.terms, done.tree.commitment(), [name.encode() for name in names])
        orders.add(bytes(deck_order(done.tree.seeds[0], mixed, 1, fresh_cards(1, 0))))
    assert len(orders) == (2 if one == other else 4)


def seed_in_file(folder: Path, text: str) -> tuple[object, ...]:
    """Return the command that reads `text` as the secret of a file."""
    path = folder / "secret.json"
    path.write_text(json.dumps({"format": FORMAT, "terms_hash": "ab" * 32, "rounds": 3, "secret": text}), "utf-8")
    path.chmod(0o600)
    return ("reveal", "--secret", path, "--round", 1)


def on_a_ticket(command: str, *options: str) -> Callable[[Path, str], tuple[object, ...]]:
    """Return the door of a command on one ticket: `TRIED` stands for the text tried, `SEED` for the ticket's seed."""

    def door(_: Path, text: str) -> tuple[object, ...]:
        done = played()
        values = {"TRIED": text, "SEED": done.tree.seeds[0].hex()}
        return (command, encode_ticket(done.tickets[0]), *(values.get(one, one) for one in options))

    return door


def on_a_log(option: str, before: str = "") -> Callable[[Path, str], tuple[object, ...]]:
    """Return the door of an option of an audit."""
    return lambda folder, text: ("audit", folder / "match.fdl", f"{option}={before}{text}")


DOORS: dict[str, Callable[[Path, str], tuple[object, ...]]] = {
    "verify --seed": on_a_ticket("verify", "--seed", "TRIED"),
    "verify --contribution": on_a_ticket("verify", "--seed", "SEED", "--contribution", "TRIED"),
    "verify --commitment": on_a_ticket("verify", "--seed", "SEED", "--commitment", "TRIED"),
    "deal --seed": on_a_ticket("deal", "--seed", "TRIED"),
    "audit --commitment": on_a_log("--commitment"),
    "audit --contribution": on_a_log("--contribution", "0="),
    "audit --operator-key": on_a_log("--operator-key"),
    "audit --seat-key": on_a_log("--seat-key", "0="),
    "simulate --rng": lambda _, text: ("simulate", "-o", "-", "--rng", text),
    "secret file": seed_in_file,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("text", WRONG_SEEDS)
def test_no_door_takes_a_wrong_seed(door: str, text: str, tmp_path: Path) -> None:
    """Fault 34: wherever the command line takes a seed or another value of 32 bytes, it takes 64 digits and no less."""
    ran = run(*DOORS[door](tmp_path, text))
    assert ran.code in (2, 3)
    refused(ran, ran.code)


@pytest.mark.parametrize("kind", REVEALED, ids=lambda kind: kind.__name__)
def test_no_log_holds_a_wrong_seed(kind: type[Record]) -> None:
    """Fault 34: in a log a value of another length, or a text in its place, is malformed where it stands."""
    done = all_signed(4, 2)
    records = apart(done.records)
    at = where(done, kind)
    before = encode_log(records[:at])
    value = getattr(records[at], REVEALED[kind][0])
    row = record_value(records[at])
    assert isinstance(row, list)
    assert value in row
    for bad in (b"", value[:4], value[:-1], value + b"\0", value * 2, value.hex(), "a" * len(value), 12345678):
        data = before + canonical([bad if part == value else part for part in row])
        log = Log(data)
        assert isinstance(log.broken, Malformed)
        assert log.size == len(before) == log.broken.offset
        assert audit(data, held_by_all(done)).verdict is Verdict.NO_VERDICT


@pytest.mark.parametrize("length", [0, 4, 16, 31, 33, 64])
def test_no_ticket_holds_one(length: int) -> None:
    """Fault 34: each value of 32 bytes in a ticket has 32; only a contribution may also be empty."""
    sound = all_signed(4, 2).tickets[0]
    bad = bytes(length)
    for changes in (
        {"terms_hash": bad},
        {"fingerprint": bad},
        {"path": (bad, *sound.path[1:])},
        {"contributions": (bad, *sound.contributions[1:])},
    ):
        text = encode_ticket(replace(sound, **changes))
        if length or "contributions" not in changes:
            with pytest.raises(Malformed):
                decode_ticket(text)


# --- verdicts and signatures


def proven(report: Report, name: GuaranteeName) -> bool:
    """Return whether the report says that a guarantee is proven."""
    return next(one.proven for one in report.guarantees if one.name is name)


REQUIRED: list[tuple[GuaranteeName, ...]] = [(), DEFAULT_REQUIRED, tuple(GuaranteeName), *((n,) for n in GuaranteeName)]


def evidence_of_every_kind(done: Simulated) -> Iterator[Evidence]:
    """Yield nothing, all that is held of a match, and each kind of it alone."""
    every = held_by_all(done)
    yield Evidence()
    yield every
    yield Evidence(tickets=every.tickets[-1:])
    yield Evidence(receipts=every.receipts[-1:])
    yield Evidence(receipts=(done.receipt(10),), contributions=every.contributions)
    yield Evidence(commitments=every.commitments, keys=every.keys)


@pytest.mark.parametrize("name", SAMPLES)
def test_verified_leaves_nothing_open(name: str) -> None:
    """Fault 35: verified means no finding, no check of the log left out, and everything proven that was required.

    Of whole logs and of running ones, with each kind of evidence and each requirement.
    """
    done = SAMPLES[name]()
    records = apart(done.records)
    logs = [bytes(done.data), *(encode_log(records[:size]) for size in range(1, len(records), 40))]
    seen: Counter[Verdict] = Counter()
    for data, required, held in product(logs, REQUIRED, evidence_of_every_kind(done)):
        report = audit(data, held, required)
        seen[report.verdict] += 1
        if report.verdict is Verdict.VERIFIED:
            assert data == done.data
            assert not report.findings
            assert report.stopped is None
            assert all(one.proven for one in report.guarantees if one.required)
            assert {one.name for one in report.guarantees if one.required} == set(required)
            left = [tally.not_checked for step, tally in report.steps if step not in (Step.EVIDENCE, Step.CONTROL)]
            assert not any(left)
            assert all(tally.faults == 0 for _, tally in report.steps)
            assert all(dict(report.steps)[step].passed for step in (Step.ORDER, Step.SEEDS, Step.DEALS, Step.PLAYS))
    assert set(seen) == {Verdict.VERIFIED, Verdict.INCOMPLETE}


def test_nothing_given_is_nothing_verified(tmp_path: Path) -> None:
    """Fault 35: no log, an empty log, evidence files with nothing in them or no ticket verify nothing."""
    done = played()
    log, empty = tmp_path / "match.fdl", tmp_path / "empty.fdl"
    log.write_bytes(bytes(done.data))
    empty.write_bytes(b"")
    held = tmp_path / "held"
    held.mkdir()
    for name in ("tickets.txt", "receipts.txt", "contributions.txt"):
        (held / name).write_text("\n\n", "ascii")
    assert run("audit").code == 2
    assert run("verify").code == 2
    assert run("audit", empty).code == 3
    assert run("audit", empty, log, "--evidence", held).code == 3
    ran = run("audit", log, "--evidence", held, "-f", "json")
    assert (ran.code, ran.json["verdict"]) == (11, "incomplete")
    (held / "published.txt").write_text("", "ascii")
    ran = run("audit", log, "--evidence", held, "-f", "json")
    assert ran.code == 11
    assert [one["code"] for one in ran.json["reports"][0]["findings"]] == ["published-absent", "not-proven"]


def signed_throughout(sample: Simulated, match_id: bytes) -> bytes:
    """Return a match like `sample` under another name: with the same secret, keys and values, signed at every place."""
    draft = draft_of(sample, "signed throughout")
    reopen(draft, replace(draft.terms, match_id=match_id))
    play_on(draft)
    at = draft.indexes(Close)[0]
    draft.records[at:at] = [unsigned(signer_of(seat)) for seat in range(len(draft.terms.seats))]
    return settle(draft)


def test_no_signature_moves_to_another_match() -> None:
    """Fault 36: between two matches of the same parties, keys and rules no signature and no receipt fits both."""
    sample = all_signed(4, 1)
    one, other = (signed_throughout(sample, bytes([number]) * 16) for number in (1, 2))
    logs = Log(one), Log(other)
    groups = [[item for item in log.items if isinstance(item.record, Signature)] for log in logs]
    assert len(groups[0]) == len(groups[1]) == 10
    assert audit(other).codes() == {Code.NOT_PROVEN}
    assert len({signed_message(log.terms_hash, OPERATOR, 1_000, bytes(32)) for log in logs}) == 2
    names = ["operator", *(f"seat {seat}" for seat in range(4))]
    places = [f"lock.signature[{name}]" for name in names] + [f"close.signature[{name}]" for name in names[1:]]
    for mine, old, place in zip(*groups, [*places, "final.signature[operator]"], strict=True):
        moved = other[: old.start] + encode_record(mine.record) + other[old.end :]
        report = audit(moved)
        assert report.verdict is Verdict.REFUTED
        assert (Code.SIGNATURE_BAD, place) in {(found.code, found.place) for found in report.findings}
    for item in logs[0].items[::7]:
        digest = file_digest(one[: item.end])
        by_operator = sign(sample.keys[OPERATOR], signed_message(logs[0].terms_hash, OPERATOR, item.end, digest))
        receipt = Receipt(logs[0].terms_hash, item.end, digest, by_operator)
        theirs = file_digest(other[: item.end])
        by_operator = sign(sample.keys[OPERATOR], signed_message(logs[0].terms_hash, OPERATOR, item.end, theirs))
        renamed = Receipt(logs[1].terms_hash, item.end, theirs, by_operator)
        assert audit(one, Evidence(receipts=(receipt,))).codes() <= {Code.NOT_PROVEN}
        assert Code.RECEIPT_TERMS in audit(other, Evidence(receipts=(receipt,))).codes()
        assert Code.RECEIPT_SIGNATURE in audit(other, Evidence(receipts=(renamed,))).codes()


def test_plays_that_change_places_are_claimed_by_nothing_but_a_receipt(tmp_path: Path) -> None:
    """Fault 37: two plays of a seat the other way round are another lawful history, with a digest as right as any.

    What a report says of it: verified, but `recorded` not proven, or proven up to the receipt held and no further.
    """
    done = match(4, 2)
    second = [item.start for item in Log(bytes(done.data)).items if isinstance(item.record, Deal)][1]
    changed = (made_good(done, log) for log in regroupings(done))
    other = next(log for log in changed if log[:second] == done.data[:second] and is_legal_history(done, log))
    assert other != done.data
    assert Code.DIGEST not in audit(other).codes()
    early, whole = done.receipt(second), done.receipt(len(done.data))
    for log in (bytes(done.data), other):
        report = audit(log, committed(done))
        assert report.verdict is Verdict.VERIFIED
        assert not proven(report, GuaranteeName.RECORDED)
        assert "no player has confirmed an action, unless that seat signed or kept a receipt" in report.statements
        part = audit(log, replace(committed(done), receipts=(early,)))
        assert part.verdict is Verdict.VERIFIED
        said = next(one for one in part.guarantees if one.name is GuaranteeName.RECORDED)
        assert not said.proven
        assert said.reason.startswith(f"bytes 0 to {second}, up to the end of round[1]")
        assert said.reason.endswith("beyond it the actions rest on the operator's word")
    pinned = replace(committed(done), receipts=(whole,))
    assert proven(audit(bytes(done.data), pinned), GuaranteeName.RECORDED)
    assert audit(other, pinned).codes() == {Code.RECEIPT_DIGEST}
    assert audit(other, committed(done), list(GuaranteeName)).verdict is Verdict.INCOMPLETE
    path = tmp_path / "other.fdl"
    path.write_bytes(other)
    text = run("audit", path, "--commitment", done.tree.commitment().hex()).text
    assert re.search("not proven +recorded", text)
