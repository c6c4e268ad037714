"""Exact numbers: conversion of floats, enclosures, quantile levels, outward rounding."""
